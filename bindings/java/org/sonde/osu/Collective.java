// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

/** The collective operations, in the order of osu_jni.c. */
enum Collective {
    BARRIER, BCAST, ALLGATHER, ALLGATHERV, ALLREDUCE, ALLTOALL, ALLTOALLV, GATHER, GATHERV, REDUCE, REDUCE_SCATTER, SCATTER,
    SCATTERV;

    /** Sums floats; the other operations move bytes. */
    boolean isSum() {
        return this == ALLREDUCE || this == REDUCE || this == REDUCE_SCATTER;
    }

    /** A rank sends a block to each rank. */
    boolean sendsToEach() {
        return this == ALLTOALL || this == ALLTOALLV || this == SCATTER || this == SCATTERV;
    }

    /** A rank receives a block of each rank. */
    boolean receivesFromEach() {
        return this == ALLGATHER || this == ALLGATHERV || this == ALLTOALL || this == ALLTOALLV || this == GATHER
                || this == GATHERV;
    }

    /** A call has a count for each rank. */
    boolean hasCounts() {
        return this == ALLGATHERV || this == ALLTOALLV || this == GATHERV || this == SCATTERV || this == REDUCE_SCATTER;
    }

    /** Rank 0 sends. */
    boolean isFromRoot() {
        return this == BCAST || this == SCATTER || this == SCATTERV;
    }

    /** Rank 0 receives. */
    boolean isToRoot() {
        return this == GATHER || this == GATHERV || this == REDUCE;
    }
}
