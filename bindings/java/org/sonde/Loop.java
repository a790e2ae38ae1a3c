// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** The timed loop, in Java, so that it is compiled with the iteration as the rest of the application is. */
final class Loop {
    private final Iteration<?> iteration;
    private Throwable failure;

    Loop(Iteration<?> iteration) {
        this.iteration = iteration;
    }

    /** The first exception of the iteration. */
    Throwable failure() {
        return failure;
    }

    void take(Steps steps, long samples) {
        long batch = steps.batch();
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
