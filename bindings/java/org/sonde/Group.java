// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.lang.reflect.Field;
import java.util.Objects;

/** The ranks that measure together, on a duplicate of a communicator. All its calls but rank and size are collective. */
public final class Group extends NativeObject {
    private final int rank;
    private final int size;

    /**
     * Make a group of a communicator's ranks. Collective over the communicator.
     *
     * @param fortranHandle the communicator as an integer, which MPI_Comm_c2f gives in C
     */
    public Group(long fortranHandle) {
        super(Native.groupCreate(integer(fortranHandle)));
        rank = Native.groupRank(handle());
        size = Native.groupSize(handle());
    }

    /**
     * Make a group of all ranks. Collective over MPI_COMM_WORLD.
     *
     * @return the group
     */
    public static Group world() {
        return new Group(Native.world());
    }

    /**
     * Make a group of the ranks of a communicator of Open MPI's binding. Collective over the communicator.
     *
     * @param communicator an mpi.Comm, such as MPI.COMM_WORLD or what its split returns
     * @return the group
     */
    public static Group of(Object communicator) {
        Objects.requireNonNull(communicator, "sonde: the communicator is null");
        return new Group(Native.fortranHandle(nativeHandle(communicator)));
    }

    private static int integer(long handle) {
        if ((int) handle != handle)
            throw new IllegalArgumentException("sonde: the handle " + handle + " is no integer of Fortran: MPI_Comm_c2f gives it");
        return (int) handle;
    }

    /** The MPI_Comm of an mpi.Comm, which keeps it in a field that is not public. */
    private static long nativeHandle(Object communicator) {
        Class<?> type = communicator.getClass();
        while (type != null && !type.getName().equals("mpi.Comm")) type = type.getSuperclass();
        try {
            if (type != null) {
                Field handle = type.getDeclaredField("handle");
                handle.setAccessible(true);
                return handle.getLong(communicator);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw notOpenMpi(communicator, e);
        }
        throw notOpenMpi(communicator, null);
    }

    private static IllegalArgumentException notOpenMpi(Object communicator, Exception cause) {
        return new IllegalArgumentException("sonde: the communicator is of type " + communicator.getClass().getName()
                + "; it must be an mpi.Comm of Open MPI's binding", cause);
    }

    /**
     * Get the rank of this process.
     *
     * @return the rank
     */
    public int rank() {
        handle();
        return rank;
    }

    /**
     * Get the number of ranks.
     *
     * @return the number
     */
    public int size() {
        handle();
        return size;
    }

    /** Wait for all ranks, by MPI_Barrier. */
    public void barrier() {
        Native.groupBarrier(handle());
    }

    @Override
    void free(long address) {
        Native.groupFree(address);
    }
}
