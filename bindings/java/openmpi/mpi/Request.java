// SPDX-License-Identifier: BSL-1.0
package mpi;

public class Request {
    Request() {}

    public static native void waitAll(Request[] requests) throws MPIException;

    public static native Status[] waitAllStatus(Request[] requests) throws MPIException;
}
