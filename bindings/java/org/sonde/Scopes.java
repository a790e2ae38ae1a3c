// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** The scopes of all ranks, parents before their children. */
public final class Scopes extends NativeObject {
    /**
     * A scope. Times are seconds; a figure that a scope does not have is 0.
     *
     * @param name of the scope
     * @param parent index of the enclosing scope, or -1
     * @param ranks with at least one pass
     * @param passes of all ranks
     * @param bytes moved by all passes of all ranks
     * @param median of all passes
     * @param totalMin smallest total time of a rank in the scope
     * @param totalMean mean total time of a rank
     * @param totalMax largest total time of a rank
     * @param slowest the first rank with the largest total time
     * @param slowRank the rank whose passes usually take longest, or -1
     * @param share of the time in the enclosing scope
     * @param imbalance largest total over the mean total
     * @param bandwidth bytes per second of one rank
     * @param kind what the application does in the scope
     */
    public record Summary(String name, int parent, int ranks, long passes, double bytes, double median, double totalMin,
            double totalMean, double totalMax, int slowest, int slowRank, double share, double imbalance, double bandwidth,
            Kind kind) {}

    /** What an application does in a scope. */
    public enum Kind {
        /** Anything: a step, a phase. */
        PART,
        /** It computes, and does not wait for other ranks. */
        WORK,
        /** It waits for other ranks. */
        EXCHANGE
    }

    Scopes(long address) {
        super(address);
    }

    /**
     * Get the number of scopes.
     *
     * @return the number
     */
    public int size() {
        return Native.scopesCount(handle());
    }

    /**
     * Get a scope.
     *
     * @param index from 0
     * @return the figures of the scope
     */
    public Summary get(int index) {
        if (index < 0 || index >= size()) throw new IndexOutOfBoundsException("sonde: there is no scope " + index);
        long[] n = new long[6];
        double[] x = new double[8];
        String name = Native.text(Native.scopesSummary(handle(), index, n, x));
        return new Summary(name, (int) n[0], (int) n[1], n[2], x[0], x[1], x[2], x[3], x[4], (int) n[3], (int) n[4],
                x[5], x[6], x[7], Kind.values()[(int) n[5]]);
    }

    @Override
    void free(long address) {
        Native.scopesFree(address);
    }
}
