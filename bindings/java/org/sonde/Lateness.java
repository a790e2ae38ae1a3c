// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who made the ranks of a loop wait, equal on all ranks. Times are seconds, and shares are of the ranks' time: 0.121 is
 * 12.1 %.
 */
public final class Lateness extends NativeObject {
    /**
     * A rank that was late by an effect and more often than chance explains.
     *
     * @param rank in the group
     * @param caused waiting of all ranks that it caused by what it did between exchanges
     * @param share of all waiting
     * @param exchange that it reached late
     * @param lateness median delay in its late steps
     * @param steps in which it was late: numbers of the passes of the exchange, from 0
     * @param ofSteps passes of the exchange that were examined
     * @param work the scope of work that made it late; empty for time outside of all
     * @param ratio of the time of this work in the late steps to its usual time; 0 for time outside of all
     * @param ofOtherSteps true if the usual time is the rank's median in other steps, false if that of the other ranks
     */
    public record Late(int rank, double caused, double share, String exchange, double lateness, List<Long> steps,
            long ofSteps, String work, double ratio, boolean ofOtherSteps) {}

    /**
     * Waiting and transfer of an exchange: times of all ranks.
     *
     * @param name of the exchange
     * @param passes of each rank that were examined
     * @param unexamined earlier passes of each rank
     * @param waiting until the last partner of a rank has entered
     * @param transfer the rest
     * @param unequal the fewest and the most passes of a rank; empty if all ranks that have it passed it equally often
     */
    public record Exchange(String name, long passes, long unexamined, double waiting, double transfer,
            Optional<Unequal> unequal) {}

    /**
     * Ranks that passed an exchange unequally often since their probes were made.
     *
     * @param fewest passes of a rank that has the exchange
     * @param fewestRank the first such rank
     * @param most passes of a rank
     * @param mostRank the first such rank
     */
    public record Unequal(long fewest, int fewestRank, long most, int mostRank) {}

    /**
     * Steps that stand out in the times of a scope of work, or in the transfers of an exchange, on the median rank.
     *
     * @param scope of work, or the exchange
     * @param kind "period", "burst", "change_point" or "drift"
     * @param steps numbers of the passes of an exchange, from 0; from a change point on all, for a drift all
     * @param ofSteps steps of the series
     * @param period distance of the steps
     * @param typical median time of the other steps, before a change point, or at the start of a drift
     * @param excess time of its steps above that; of a drift, of the last step
     * @param p bound of the probability that a healthy series shows such an effect
     */
    public record Effect(String scope, String kind, List<Long> steps, long ofSteps, long period, double typical,
            double excess, double p) {}

    /**
     * Waiting of a rank, and waiting of all ranks that it caused.
     *
     * @param waiting of this rank
     * @param causedByWork by what it did between exchanges
     * @param causedByTransfer by its transfers
     */
    public record OfRank(double waiting, double causedByWork, double causedByTransfer) {}

    /**
     * Ranks on which an exchange takes long after all partners have entered.
     *
     * @param exchange its name
     * @param ranks in the group
     * @param ratio of the smallest of their medians to the median of the other ranks
     * @param caused waiting of other ranks for these ranks' transfers
     */
    public record SlowTransfer(String exchange, List<Integer> ranks, double ratio, double caused) {}

    /**
     * The figures.
     *
     * @param steps passes of exchanges that were examined
     * @param hasEnoughSteps true if they are enough to name ranks
     * @param waiting share of waiting in exchanges
     * @param interval 95 % interval of the share of waiting; empty for too few steps
     * @param transfer share of transfers of exchanges
     * @param observed time of these steps, of all ranks
     * @param clockError bound of the error of a difference of two ranks' times; shorter waits count as transfer
     * @param late the late ranks, those who caused most first
     * @param exchanges waiting and transfer of each exchange
     * @param ranks what each rank of the group waited and caused
     * @param slowTransfers the ranks whose transfers are slow
     * @param effects the steps that stand out in the times of a scope on most ranks
     */
    public record Summary(long steps, boolean hasEnoughSteps, double waiting, Optional<Record.Interval> interval,
            double transfer, double observed, double clockError, List<Late> late, List<Exchange> exchanges,
            List<OfRank> ranks, List<SlowTransfer> slowTransfers, List<Effect> effects) {}

    /** The numbers and texts of the native object, in their order. */
    private static final class Numbers {
        private final double[] numbers;
        private final byte[][] texts;
        private int nextNumber = 0;
        private int nextText = 0;

        Numbers(double[] numbers, byte[][] texts) {
            this.numbers = numbers;
            this.texts = texts;
        }

        double real() {
            return numbers[nextNumber++];
        }

        int integer() {
            return (int) real();
        }

        boolean truth() {
            return real() != 0;
        }

        String text() {
            return Native.text(texts[nextText++]);
        }

        <T> List<T> list(int size, Supplier<T> element) {
            List<T> all = new ArrayList<>();
            for (int i = 0; i != size; ++i) all.add(element.get());
            return List.copyOf(all);
        }
    }

    Lateness(long address) {
        super(address);
    }

    /**
     * Get the figures.
     *
     * @return the figures, which stay when this is closed
     */
    public Summary summary() {
        Numbers n = new Numbers(Native.latenessNumbers(handle()), Native.latenessTexts(handle()));
        return new Summary((long) n.real(), n.truth(), n.real(), intervalOf(n), n.real(), n.real(), n.real(),
                n.list(n.integer(), () -> lateOf(n)),
                n.list(n.integer(), () -> new Exchange(n.text(), (long) n.real(), (long) n.real(), n.real(), n.real(), unequalOf(n))),
                n.list(n.integer(), () -> new OfRank(n.real(), n.real(), n.real())),
                n.list(n.integer(), () -> new SlowTransfer(n.text(), n.list(n.integer(), n::integer), n.real(), n.real())),
                n.list(n.integer(), () -> new Effect(n.text(), n.text(), n.list(n.integer(), () -> (long) n.real()),
                        (long) n.real(), (long) n.real(), n.real(), n.real(), n.real())));
    }

    private static Optional<Record.Interval> intervalOf(Numbers n) {
        boolean exists = n.truth();
        Record.Interval interval = new Record.Interval(n.real(), n.real());
        return exists ? Optional.of(interval) : Optional.empty();
    }

    private static Optional<Unequal> unequalOf(Numbers n) {
        boolean exists = n.truth();
        Unequal unequal = new Unequal((long) n.real(), n.integer(), (long) n.real(), n.integer());
        return exists ? Optional.of(unequal) : Optional.empty();
    }

    private static Late lateOf(Numbers n) {
        return new Late(n.integer(), n.real(), n.real(), n.text(), n.real(), n.list(n.integer(), () -> (long) n.real()),
                (long) n.real(), n.text(), n.real(), n.truth());
    }

    /**
     * Say what is known, a sentence each: "Ranks waited 12.1 % of the loop.", "Rank 3 caused 91 % of it: .."
     *
     * @return the sentences
     */
    public List<String> sentences() {
        return Native.text(Native.latenessText(handle())).lines().toList();
    }

    /** The sentences, a line each. */
    @Override
    public String toString() {
        return String.join("\n", sentences());
    }

    @Override
    void free(long address) {
        Native.latenessFree(address);
    }
}
