// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.Arrays;

/**
 * How to measure; equal on all ranks. The series ends when the first of samples, relative error and time budget says so;
 * 0 leaves a rule out, and at least one is needed. The values are checked when the measurement begins, on all ranks; a null is
 * thrown then, too, so that no rank waits for another.
 */
public final class Plan {
    /** Value of warmup: 0.2 s for the JIT compiler, and then until the times are stable. */
    public static final long UNTIL_STABLE = -1;
    /** Value of batch: as many iterations as the clock needs. */
    public static final long BY_TIMER = 0;

    private static final double COMPILER_SECONDS = 0.2;

    /** What synchronizes the ranks before the samples. */
    public enum Synchronization {
        /** A barrier before the first sample. */
        BARRIER_ONCE,
        /** The barrier of the MPI library before each sample. */
        BARRIER_EACH,
        /** Nothing: the iteration synchronizes itself. */
        NONE,
        /** A barrier of empty messages before each sample. */
        DISSEMINATION,
        /** Each sample starts on all ranks at one time of a global clock. */
        START_TIME
    }

    /** Optional contents of a record. */
    public enum Keep {
        /** The mean over ranks of each sample, for reports. */
        SAMPLE_MEANS,
        /** The mean time of each rank. */
        RANK_MEANS,
        /** The samples of each rank, on rank 0. */
        RANK_SAMPLES,
        /** The samples of each rank, on all ranks. */
        ON_ALL_RANKS
    }

    private final RuntimeException fault;
    private final long[] integers;
    private final double[] reals;

    private Plan(Builder b) {
        fault = b.fault.get();
        int synchronization = b.synchronization == null ? -1 : b.synchronization.ordinal();
        integers = new long[] {b.warmup, b.batch, b.samples, synchronization, b.keep};
        reals = new double[] {b.relativeError, b.confidence, b.timeBudget};
    }

    /**
     * Begin with 10 iterations of warm-up and 100 samples of one iteration.
     *
     * @return a plan to change
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Begin with a warm-up until times are stable, a barrier before each sample, so that no rank runs ahead, batches as
     * long as the clock needs, and samples until the median is known to 1 %, for at most a second.
     *
     * @return a plan to change
     */
    public static Builder interactive() {
        return new Builder().warmup(UNTIL_STABLE).batch(BY_TIMER).samples(0).relativeError(0.01).timeBudget(1)
            .synchronize(Synchronization.DISSEMINATION);
    }

    boolean untilStable() {
        return integers[0] == UNTIL_STABLE;
    }

    /** A plan whose samples are dropped: in its time the JIT compiler finds out what to compile, and compiles it. */
    Plan forCompiler() {
        Builder b = builder().warmup(0).batch(integers[1]).samples(0).timeBudget(COMPILER_SECONDS);
        b.synchronization = Synchronization.values()[(int) integers[3]];
        return b.build();
    }

    /** What is wrong with the arguments that made it; null for nothing. */
    RuntimeException fault() {
        return fault;
    }

    /** Null for a plan that is null or has a fault, which the native library reports on all ranks. */
    static long[] integers(Plan plan) {
        return plan == null || plan.fault != null ? null : plan.integers;
    }

    static double[] reals(Plan plan) {
        return plan == null || plan.fault != null ? null : plan.reals;
    }

    /** A plan that can be changed. */
    public static final class Builder {
        private final Fault fault = new Fault();
        private long warmup = 10;
        private long batch = 1;
        private long samples = 100;
        private double relativeError;
        private double confidence = 0.95;
        private double timeBudget;
        private Synchronization synchronization = Synchronization.BARRIER_ONCE;
        private int keep;

        private Builder() {}

        /**
         * Set the warm-up.
         *
         * @param iterations before the first sample, or UNTIL_STABLE
         * @return this
         */
        public Builder warmup(long iterations) {
            warmup = iterations;
            return this;
        }

        /**
         * Set the batch.
         *
         * @param iterations of a sample, or BY_TIMER
         * @return this
         */
        public Builder batch(long iterations) {
            batch = iterations;
            return this;
        }

        /**
         * End the series by its length.
         *
         * @param count number of samples, or 0
         * @return this
         */
        public Builder samples(long count) {
            samples = count;
            return this;
        }

        /**
         * End the series when its median is known.
         *
         * @param part of the median that half its interval is at the end, such as 0.01, or 0
         * @return this
         */
        public Builder relativeError(double part) {
            relativeError = part;
            return this;
        }

        /**
         * Set the confidence of the interval of the median.
         *
         * @param level such as 0.95
         * @return this
         */
        public Builder confidence(double level) {
            confidence = level;
            return this;
        }

        /**
         * End the series after a time.
         *
         * @param seconds from the first sample, or 0
         * @return this
         */
        public Builder timeBudget(double seconds) {
            timeBudget = seconds;
            return this;
        }

        /**
         * Set what synchronizes the ranks.
         *
         * @param before the samples
         * @return this
         */
        public Builder synchronize(Synchronization before) {
            synchronization = before;
            fault.addNull(before, "the plan's synchronization");
            return this;
        }

        /**
         * Keep optional contents of the record.
         *
         * @param contents what to keep
         * @return this
         */
        public Builder keep(Keep... contents) {
            boolean isMissing = contents == null || Arrays.asList(contents).contains(null);
            fault.addNull(isMissing ? null : contents, "what the plan keeps");
            if (!isMissing)
                for (Keep k : contents) keep |= 1 << k.ordinal();
            return this;
        }

        /**
         * Make the plan.
         *
         * @return the plan
         */
        public Plan build() {
            return new Plan(this);
        }
    }
}
