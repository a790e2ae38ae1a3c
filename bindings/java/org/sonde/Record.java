// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Result of a measurement: the times of the slowest rank, in seconds of one iteration, and what is known of the others. It
 * is equal on all ranks, except for the samples of single ranks. An import of its name hides java.lang.Record.
 */
public final class Record extends NativeObject {
    /**
     * An interval.
     *
     * @param low its lower end
     * @param high its upper end
     */
    public record Interval(double low, double high) {}

    private final NativeObject owner; // of a record in a comparison
    private final long[] integers = new long[6]; // samples, batch, ranks, initiators, has_interval, flags
    private final double[] reals = new double[15];
    private final String stopReason;

    Record(long address, NativeObject owner) {
        super(address);
        this.owner = owner;
        stopReason = Native.text(Native.recordSummary(address, integers, reals));
    }

    @Override
    long handle() {
        if (owner != null) owner.handle();
        return super.handle();
    }

    private double real(int index) {
        handle();
        return reals[index];
    }

    private long integer(int index) {
        handle();
        return integers[index];
    }

    /**
     * Get the number of samples.
     *
     * @return the number
     */
    public long sampleCount() {
        return integer(0);
    }

    /**
     * Get the batch.
     *
     * @return iterations per sample
     */
    public long batch() {
        return integer(1);
    }

    /**
     * Get the number of ranks.
     *
     * @return ranks of the group
     */
    public int ranks() {
        return (int) integer(2);
    }

    /**
     * Get the number of initiators.
     *
     * @return ranks whose times count; without any, all figures are 0
     */
    public int initiators() {
        return (int) integer(3);
    }

    /**
     * Get the warnings.
     *
     * @return their names, such as "timer_limited", in the order of reports
     */
    public Set<String> flags() {
        Set<String> found = new LinkedHashSet<>();
        for (int bit = 0; integer(5) >> bit != 0; ++bit)
            if ((integer(5) >> bit & 1) != 0) found.add(Native.text(Native.flagName(bit)));
        return found;
    }

    /**
     * Get the reason why the series ended.
     *
     * @return "samples", "precision", "time_budget" or "unreachable"
     */
    public String stopReason() {
        handle();
        return stopReason;
    }

    /**
     * Get the median.
     *
     * @return the median of the samples
     */
    public double median() {
        return real(0);
    }

    /**
     * Get the confidence interval of the median.
     *
     * @return an interval; empty if there are too few samples
     */
    public Optional<Interval> interval() {
        return integer(4) == 0 ? Optional.empty() : Optional.of(new Interval(reals[1], reals[2]));
    }

    /**
     * Get a percentile.
     *
     * @param q quantile, between 0 and 1: 0.99 for the 99th percentile
     * @return the time; empty if there are too few samples
     */
    public OptionalDouble percentile(double q) {
        double[] time = new double[1];
        return Native.recordPercentile(handle(), q, time) ? OptionalDouble.of(time[0]) : OptionalDouble.empty();
    }

    /**
     * Get the mean.
     *
     * @return the mean of the samples
     */
    public double mean() {
        return real(3);
    }

    /**
     * Get the minimum.
     *
     * @return the shortest sample
     */
    public double min() {
        return real(4);
    }

    /**
     * Get the maximum.
     *
     * @return the longest sample
     */
    public double max() {
        return real(5);
    }

    /**
     * Get the standard deviation.
     *
     * @return the standard deviation of the samples
     */
    public double stddev() {
        return real(6);
    }

    /**
     * Get the fastest rank's mean time.
     *
     * @return the minimum over the ranks
     */
    public double rankMin() {
        return real(7);
    }

    /**
     * Get the mean of the ranks' mean times.
     *
     * @return the mean over the ranks
     */
    public double rankMean() {
        return real(8);
    }

    /**
     * Get the slowest rank's mean time.
     *
     * @return the maximum over the ranks
     */
    public double rankMax() {
        return real(9);
    }

    /**
     * Get the time of the very first iteration; with a warm-up until stable, of the first after the time for the compiler.
     * It is 0 if that iteration was not timed by itself: without a warm-up, in a batch of several.
     *
     * @return its time
     */
    public double first() {
        return real(10);
    }

    /**
     * Get the latency.
     *
     * @return median over hops
     */
    public double latency() {
        return real(11);
    }

    /**
     * Get the bandwidth.
     *
     * @return bytes per second of all initiators, at the median
     */
    public double bandwidth() {
        return real(12);
    }

    /**
     * Get the bus bandwidth.
     *
     * @return bytes per second
     */
    public double busBandwidth() {
        return real(13);
    }

    /**
     * Get the message rate.
     *
     * @return messages per second
     */
    public double messageRate() {
        return real(14);
    }

    /**
     * Get the samples.
     *
     * @return a copy of their times
     */
    public double[] samples() {
        return Native.recordSeries(handle());
    }

    /**
     * Get the mean times of the ranks.
     *
     * @return a time for each rank if the plan keeps RANK_MEANS; otherwise empty
     */
    public double[] rankMeans() {
        return Native.recordRankMeans(handle());
    }

    /**
     * Get the samples of one rank.
     *
     * @param rank of the group
     * @return its times on rank 0, or on all ranks, as the plan says; otherwise empty
     */
    public double[] rankSamples(int rank) {
        return Native.recordRankSamples(handle(), rank);
    }

    /**
     * Describe the record.
     *
     * @return one line of text
     */
    @Override
    public String toString() {
        return Native.text(Native.recordText(handle()));
    }

    @Override
    void free(long address) {
        if (owner == null) Native.recordFree(address);
    }
}
