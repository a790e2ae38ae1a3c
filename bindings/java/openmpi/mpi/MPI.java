// SPDX-License-Identifier: BSL-1.0
package mpi;

/** The part of Open MPI's binding that OSU's programs call, to compile them without its jar. It is in no jar of Sonde. */
public final class MPI {
    public static final Intracomm COMM_WORLD = null;
    public static final Datatype BYTE = null;
    public static final Datatype FLOAT = null;
    public static final Op SUM = null;

    private MPI() {}

    public static native String[] Init(String[] arguments) throws MPIException;

    public static native void Finalize() throws MPIException;
}
