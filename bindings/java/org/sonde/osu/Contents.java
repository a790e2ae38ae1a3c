// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the ranks send, and what has to arrive. */
final class Contents {
    /** A byte that no rank sends; four of them are no float. */
    static final byte NEVER_SENT = (byte) 255;

    private static final int PERIOD = 251; // of the bytes: no power of two, so that blocks and their displacements differ

    private Contents() {}

    /** The bytes that a rank sends, from an index. */
    static byte[] bytesOf(int rank, int first, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i != count; ++i) bytes[i] = (byte) ((31L * rank + first + i) % PERIOD);
        return bytes;
    }

    /** The numbers that a rank contributes to a sum. They are small and whole, so that sums are exact in any order. */
    static byte[] floatsOf(int rank, int count) {
        return floats(0, count, rank, rank + 1);
    }

    private static byte[] floats(int first, int count, int fromRank, int toRank) {
        ByteBuffer sum = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = first; i != first + count; ++i) {
            float x = 0;
            for (int rank = fromRank; rank != toRank; ++rank) x += i % 16 + rank % 64;
            sum.putFloat(x);
        }
        return sum.array();
    }

    /** What has to arrive on this rank, in each receive buffer; of no bytes where nothing arrives. */
    static byte[] arrival(Benchmark benchmark, Case on) {
        return switch (benchmark.kind) {
            case LATENCY, BIBANDWIDTH -> bytesOf(1 - on.rank(), 0, on.size());
            case BANDWIDTH -> bytesOf(0, 0, on.rank() == 1 ? on.size() : 0); // rank 0 gets acknowledgements
            default -> arrival(benchmark.collective, on);
        };
    }

    private static byte[] arrival(Collective operation, Case on) {
        int size = on.size();
        boolean isIdle = operation.isToRoot() && !on.isRoot();
        return switch (operation) {
            case BARRIER -> new byte[0];
            case BCAST -> bytesOf(0, 0, on.isRoot() ? 0 : size);
            case SCATTER, SCATTERV -> bytesOf(0, on.rank() * size, size);
            case ALLGATHER, ALLGATHERV, GATHER, GATHERV -> isIdle ? new byte[0] : blocks(on, 0);
            case ALLTOALL, ALLTOALLV -> blocks(on, on.rank() * size);
            case ALLREDUCE, REDUCE -> isIdle ? new byte[0] : floats(0, on.floats(), 0, on.ranks());
            case REDUCE_SCATTER -> part(on);
        };
    }

    /** A block of each rank, from an index in what it sends. */
    private static byte[] blocks(Case on, int first) {
        ByteBuffer all = ByteBuffer.allocate(on.ranks() * on.size());
        for (int rank = 0; rank != on.ranks(); ++rank) all.put(bytesOf(rank, first, on.size()));
        return all.array();
    }

    private static byte[] part(Case on) {
        int[] parts = on.parts();
        int first = 0;
        for (int rank = 0; rank != on.rank(); ++rank) first += parts[rank];
        return floats(first, parts[on.rank()], 0, on.ranks());
    }
}
