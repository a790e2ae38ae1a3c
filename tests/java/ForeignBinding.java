// SPDX-License-Identifier: BSL-1.0
package mpi;

/** What another binding of MPI has by the name of Open MPI's class, with other calls. */
final class MPI {
    private MPI() {}

    public static int init(String[] arguments) {
        return arguments.length;
    }
}
