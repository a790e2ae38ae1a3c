// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.util.Arrays;

/**
 * A program at one size, on one rank.
 *
 * @param size bytes of a message, of a block, or of the vector of a reduction
 * @param sends buffers: one for each message of a window, or one
 * @param receives as many
 */
record Case(int rank, int ranks, int size, MessageBuffer[] sends, MessageBuffer[] receives) {
    MessageBuffer send() {
        return sends[0];
    }

    MessageBuffer receive() {
        return receives[0];
    }

    boolean isRoot() {
        return rank == 0;
    }

    /** Elements of the vector of a reduction. */
    int floats() {
        return size / Float.BYTES;
    }

    /** Bytes of a block for each rank. */
    int[] blockSizes() {
        int[] sizes = new int[ranks];
        Arrays.fill(sizes, size);
        return sizes;
    }

    int[] blockOffsets() {
        int[] offsets = new int[ranks];
        for (int i = 0; i != ranks; ++i) offsets[i] = i * size;
        return offsets;
    }

    /** Elements that each rank receives of a sum: equal parts, and one more on the first ranks for the remainder. */
    int[] parts() {
        int[] counts = new int[ranks];
        for (int i = 0; i != ranks; ++i) counts[i] = floats() / ranks + (i < floats() % ranks ? 1 : 0);
        return counts;
    }
}
