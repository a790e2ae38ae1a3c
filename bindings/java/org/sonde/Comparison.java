// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.Optional;

/** Result of a comparison: a record of each alternative, the first of which is the base. It is equal on all ranks. */
public final class Comparison extends NativeObject {
    /** What is said of an alternative. */
    public enum Outcome {
        /** Neither of the others. */
        UNDECIDED,
        /** It is faster than the base. */
        FASTER,
        /** It is slower than the base. */
        SLOWER
    }

    /**
     * Speed-up of an alternative over the base.
     *
     * @param speedup time of the base over the time of the alternative
     * @param interval of the speed-up; empty if there are too few rounds
     * @param outcome what is said of the alternative
     */
    public record Speedup(double speedup, Optional<Record.Interval> interval, Outcome outcome) {}

    Comparison(long address) {
        super(address);
    }

    /**
     * Get the number of alternatives.
     *
     * @return their number, with the base
     */
    public int size() {
        return Native.comparisonCount(handle());
    }

    /**
     * Get the record of an alternative.
     *
     * @param alternative its index; 0 is the base
     * @return the record, which is valid until the comparison is closed
     */
    public Record record(int alternative) {
        long found = alternative < 0 ? 0 : Native.comparisonRecord(handle(), alternative);
        if (found == 0) throw noAlternative(alternative);
        return new Record(found, this);
    }

    private static IndexOutOfBoundsException noAlternative(int alternative) {
        return new IndexOutOfBoundsException("sonde: there is no alternative " + alternative);
    }

    /**
     * Get the speed-up of an alternative.
     *
     * @param alternative its index; 0 is the base
     * @param gain the least difference that counts, 0.02 for 2 %
     * @param confidence of all outcomes together, such as 0.95
     * @return the speed-up
     */
    public Speedup speedup(int alternative, double gain, double confidence) {
        if (alternative < 0 || alternative >= size()) throw noAlternative(alternative);
        double[] figures = new double[3];
        int found = Native.comparisonSpeedup(handle(), alternative, gain, confidence, figures);
        Optional<Record.Interval> interval =
                found < 0 ? Optional.empty() : Optional.of(new Record.Interval(figures[1], figures[2]));
        return new Speedup(figures[0], interval, Outcome.values()[found < 0 ? -1 - found : found]);
    }

    /**
     * Get the alternative to use: the fastest of those that are faster than the base, or the base.
     *
     * @param gain the least difference that counts, 0.02 for 2 %
     * @param confidence of all outcomes together, such as 0.95
     * @return its index, equal on all ranks
     */
    public int fastest(double gain, double confidence) {
        return Native.comparisonFastest(handle(), gain, confidence);
    }

    /**
     * Tell the exchange's scope in the application, by which reports say what an alternative wins there: transfer / loop
     * (1 - 1 / speedup) of the loop, and nothing of the waiting. The times are sums over passes and ranks, in seconds.
     *
     * @param scope its name
     * @param transfer time in its passes after the last partner has entered
     * @param waiting time in its passes until then
     * @param loop time in the enclosing scope
     */
    public void setApplication(String scope, double transfer, double waiting, double loop) {
        Native.comparisonSetApplication(handle(), Native.bytes(scope), transfer, waiting, loop);
    }

    @Override
    void free(long address) {
        Native.comparisonFree(address);
    }
}
