// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.List;
import java.util.Objects;

/** Measurements, and MPI for applications that do not initialize it themselves. */
public final class Sonde {
    private Sonde() {}

    /**
     * Get the version.
     *
     * @return the version of the native library, such as "0.1.0"
     */
    public static String version() {
        return Native.text(Native.version());
    }

    /**
     * Read the clock of all measurements, CLOCK_MONOTONIC on Linux, which is also that of System.nanoTime.
     *
     * @return nanoseconds
     */
    public static long now() {
        return Native.now();
    }

    /** Initialize MPI, with MPI_THREAD_FUNNELED: this thread alone calls MPI. For applications without a binding of MPI. */
    public static void initialize() {
        Native.initialize();
    }

    /** Finalize MPI, after all groups are closed. For applications without a binding of MPI. */
    public static void finalizeMpi() {
        Native.finalizeMpi();
    }

    /**
     * Tell whether MPI is running.
     *
     * @return true between the initialization and the end of MPI
     */
    public static boolean isRunning() {
        return Native.isRunning();
    }

    /**
     * Measure an iteration. Collective over the group; the record is equal on all ranks.
     *
     * <p>Null is reported on all ranks, as other invalid arguments are, except for a group that is null. After a failure
     * of the iteration this rank goes on to call it until the end of the block of samples, since others wait for it.
     *
     * @param <X> type of the exceptions of the iteration
     * @param group ranks that measure
     * @param plan how to measure
     * @param pattern what an iteration is
     * @param iteration what is timed
     * @return the record, which must be closed
     * @throws X the first exception of the iteration, on the rank where it failed; the others throw a SondeException
     */
    public static <X extends Exception> Record run(Group group, Plan plan, Pattern pattern, Iteration<X> iteration)
            throws X {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = faultOf(plan).addNull(iteration, "the iteration");
        addFault(fault, pattern, "the pattern");
        long what = fault.exists() ? 0 : pattern.create();
        Loop loop = new Loop(iteration, pattern != null && pattern.isIdle());
        try {
            if (plan != null && plan.untilStable()) {
                Steps.check(group, plan, what);
                measured(group, plan.forCompiler(), what, loop).close();
            }
            return measured(group, plan, what, loop);
        } catch (SondeException e) {
            Sonde.<X>rethrow(loop.failure());
            throw fault.or(e);
        } finally {
            Native.patternFree(what);
        }
    }

    /**
     * Measure iterations against each other, in turns. Collective over the group; the comparison is equal on all ranks.
     * The iterations are called from C, which adds the same time to each.
     *
     * @param <X> type of the exceptions of the iterations
     * @param group ranks that measure
     * @param plan how to measure
     * @param patterns what the iterations are; the first is the base
     * @param iterations what is timed, one for each pattern
     * @return the comparison, which must be closed
     * @throws X the first exception of an iteration, on the rank where it failed; the others throw a SondeException
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <X extends Exception> Comparison compare(Group group, Plan plan, List<Pattern> patterns,
            Iteration<X>... iterations) throws X {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = faultOf(plan);
        addFaults(fault, patterns, iterations);
        Throwable[] failure = new Throwable[1];
        long[] what = new long[fault.exists() ? 1 : iterations.length];
        try {
            if (!fault.exists())
                for (int i = 0; i != what.length; ++i) what[i] = patterns.get(i).create();
            if (plan != null && plan.untilStable()) {
                Steps.check(group, plan, what.length == 0 ? 0 : what[0]);
                compared(group, plan.forCompiler(), what, iterations, failure).close();
            }
            return compared(group, plan, what, iterations, failure);
        } catch (SondeException e) {
            Sonde.<X>rethrow(failure[0]);
            throw fault.or(e);
        } finally {
            for (long pattern : what) Native.patternFree(pattern);
        }
    }

    /** What is wrong with a plan. */
    private static Fault faultOf(Plan plan) {
        return new Fault().addNull(plan, "the plan").add(plan == null ? null : plan.fault());
    }

    private static void addFault(Fault fault, Pattern pattern, String what) {
        fault.addNull(pattern, what).add(pattern == null ? null : pattern.fault());
    }

    private static void addFaults(Fault fault, List<Pattern> patterns, Iteration<?>[] iterations) {
        fault.addNull(patterns, "the list of patterns").addNull(iterations, "the list of iterations");
        if (patterns == null || iterations == null) return;
        for (int i = 0; i != patterns.size(); ++i) addFault(fault, patterns.get(i), "pattern " + i);
        for (int i = 0; i != iterations.length; ++i) fault.addNull(iterations[i], "iteration " + i);
        if (patterns.size() != iterations.length)
            fault.add(new IllegalArgumentException("sonde: there are " + patterns.size() + " patterns and "
                    + iterations.length + " iterations; each pattern needs one"));
    }

    private static Record measured(Group group, Plan plan, long pattern, Loop loop) {
        try (Steps steps = new Steps(group, plan, pattern)) {
            for (long samples = steps.next(); samples != 0; samples = steps.next()) loop.take(steps, samples);
            return steps.record();
        }
    }

    private static Comparison compared(Group group, Plan plan, long[] patterns, Iteration<?>[] iterations,
            Throwable[] failure) {
        return new Comparison(Native.compare(group.handle(), Plan.integers(plan), Plan.reals(plan), patterns, iterations,
                failure));
    }

    /** Throw the exception of an iteration, if there is one. */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> void rethrow(Throwable failure) throws X {
        if (failure instanceof Error e) throw e;
        if (failure instanceof RuntimeException e) throw e;
        if (failure != null) throw (X) failure;
    }
}
