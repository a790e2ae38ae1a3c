// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** The timed loop, in Java, so that the JIT compiler compiles it, and a call of the iteration costs little. */
final class Loop {
    private static final long PROFILE_NANOSECONDS = 20_000_000;

    /*
     * HotSpot inlines the call of the first two classes of iterations that it sees in a loop, and may then remove what
     * they compute; it calls those that come later. After three classes from here the loop calls all that are measured.
     */
    static {
        Loop[] loops = {new Loop(() -> {}, false), new Loop(() -> {}, false), new Loop(() -> {}, false)};
        for (long begin = System.nanoTime(); System.nanoTime() - begin < PROFILE_NANOSECONDS; )
            for (Loop loop : loops) loop.repeat(100);
    }

    private final Iteration<?> iteration;
    private final boolean isIdle;
    private Throwable failure;

    /** An idle rank takes samples, and does not call the iteration. */
    Loop(Iteration<?> iteration, boolean isIdle) {
        this.iteration = iteration;
        this.isIdle = isIdle;
    }

    /** The first exception of the iteration. */
    Throwable failure() {
        return failure;
    }

    void take(Steps steps, long samples) {
        long batch = isIdle ? 0 : steps.batch();
        for (long i = 0; i != samples; ++i) {
            steps.synchronize();
            long begin = System.nanoTime();
            repeat(batch);
            steps.add(begin, System.nanoTime());
        }
        if (failure != null) steps.fail();
    }

    private void repeat(long n) {
        for (long k = 0; k != n; ++k) {
            try {
                iteration.call();
            } catch (Throwable e) {
                if (failure == null) failure = e;
            }
        }
    }
}
