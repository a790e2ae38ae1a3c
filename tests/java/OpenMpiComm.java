// SPDX-License-Identifier: BSL-1.0
package mpi;

/** Communicators as Open MPI's binding has them, by the functions of its native library, which is there without mpi.jar. */
public final class OpenMpiComm {
    private OpenMpiComm() {}

    /** Part of MPI_COMM_WORLD. Collective. */
    public static Object split(int color, int key) {
        Comm.init();
        Intracomm part = new Intracomm();
        part.getComm(2);
        part.handle = part.split(part.handle, color, key);
        return part;
    }

    /** A communicator that MPI has not initialized. */
    public static Object uninitialized() {
        return new Intracomm();
    }
}

class Comm {
    static long nullHandle; // written by init
    protected long handle;

    static native void init();

    /** Sets the handle; 2: to MPI_COMM_WORLD. */
    final native void getComm(int type);
}

class Intracomm extends Comm {
    final native long split(long comm, int color, int key);
}
