// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** A failure of the library, of MPI, or of another rank. */
public final class SondeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What failed. */
    public enum Status {
        /** Not a failure. */
        SUCCESS,
        /** An argument, or plans that differ between ranks. */
        INVALID_ARGUMENT,
        /** MPI is not running, or the call does not fit those before it. */
        INVALID_STATE,
        /** A call of MPI failed; the code is its error code. */
        MPI_ERROR,
        /** The measured function failed on this rank. */
        CALL_FAILED,
        /** The measured function failed on another rank. */
        OTHER_RANK,
        /** A file cannot be written; the code is the errno of the call. */
        FILE_ERROR,
        /** There is not enough memory. */
        NO_MEMORY,
        /** Any other failure. */
        FAILED
    }

    /** The status of this exception. */
    private final Status status;
    /** The code of this exception. */
    private final int code;

    SondeException(int status, int code, byte[] message) {
        super(Native.text(message));
        this.status = Status.values()[status];
        this.code = code;
    }

    /**
     * Get what failed.
     *
     * @return the status
     */
    public Status status() {
        return status;
    }

    /**
     * Get the number of the error.
     *
     * @return an error code of MPI or an errno, depending on the status; otherwise 0
     */
    public int code() {
        return code;
    }
}
