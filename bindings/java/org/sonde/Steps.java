// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** A measurement in steps: the library says how many samples to take, and Java takes their times. */
final class Steps extends NativeObject {
    private final long[] step = new long[2];

    /** Begin; a null plan and a pattern of 0 are reported on all ranks. */
    Steps(Group group, Plan plan, long pattern) {
        super(Native.stepsBegin(group.handle(), Plan.integers(plan), Plan.reals(plan), pattern));
    }

    /** Report wrong arguments on all ranks. */
    static void check(Group group, Plan plan, long pattern) {
        new Steps(group, plan, pattern).close();
    }

    /** The next step: the number of its samples, 0 at the end. */
    long next() {
        Native.stepsNext(handle(), step);
        return step[0];
    }

    /** Iterations per sample. */
    long batch() {
        return step[1];
    }

    void synchronize() {
        Native.stepsSynchronize(handle());
    }

    void add(long begin, long end) {
        Native.stepsAdd(handle(), begin, end);
    }

    void fail() {
        Native.stepsFail(handle());
    }

    Record record() {
        return new Record(Native.stepsRecord(handle()), null);
    }

    @Override
    void free(long address) {
        Native.stepsFree(address);
    }
}
