// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** The ranks that measure together, on a duplicate of a communicator. All its calls but rank and size are collective. */
public final class Group extends NativeObject {
    private final int rank;
    private final int size;

    /**
     * Make a group of a communicator's ranks. Collective over the communicator.
     *
     * @param fortranHandle the communicator as an integer, which MPI_Comm_c2f gives
     */
    public Group(long fortranHandle) {
        super(Native.groupCreate(Math.toIntExact(fortranHandle)));
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
