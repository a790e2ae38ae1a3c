// SPDX-License-Identifier: BSL-1.0
package mpi;

public final class MPIException extends Exception {
    private static final long serialVersionUID = 1;
}
