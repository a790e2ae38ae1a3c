// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.nio.charset.StandardCharsets;

/** The functions of sonde_jni.c. Objects are addresses, texts are UTF-8; a failure is thrown as a SondeException. */
final class Native {
    static {
        try {
            System.loadLibrary("sonde_java");
        } catch (UnsatisfiedLinkError e) {
            String hint = "sonde: run java with -Djava.library.path=FOLDER, where libsonde_java.so is";
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(hint).initCause(e);
        }
        long before = now();
        long between = System.nanoTime();
        if (between < before || between > now())
            throw new UnsupportedOperationException("sonde: System.nanoTime of this JVM does not read CLOCK_MONOTONIC");
    }

    private Native() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static native byte[] version();

    /** Name of the flag of a bit; null after the last. */
    static native byte[] flagName(int bit);

    /** Form of a report and ending of its files, "table=FILE.txt"; null after the last. */
    static native byte[] reportForm(int i);

    /** What a plan keeps for the form of a report: 0, or the number of RANK_SAMPLES. */
    static native int reportKeeps(int i);

    static native long now();

    static native void initialize();

    static native void finalizeMpi();

    static native boolean isRunning();

    /** The handle of MPI_COMM_WORLD in Fortran. */
    static native int world();

    /** The handle in Fortran of a communicator of Open MPI, which is the address of an object of C. */
    static native int fortranHandle(long comm);

    static native long groupCreate(int fortranHandle);

    static native int groupRank(long group);

    static native int groupSize(long group);

    static native void groupBarrier(long group);

    static native void groupFree(long group);

    /** The values of a parameter are its text or, where that is null, its number. */
    static native long patternCreate(byte[] name, int role, long[] counts, double hops, double busFactor,
            byte[][] parameterNames, byte[][] parameterTexts, double[] parameterNumbers);

    static native void patternFree(long pattern);

    /** The plan is null, or its integers and its real numbers in the order of sonde_plan; a pattern may be 0. */
    static native long stepsBegin(long group, long[] planIntegers, double[] planReals, long pattern);

    /** Writes samples and batch of the next step. */
    static native void stepsNext(long steps, long[] step);

    static native void stepsSynchronize(long steps);

    static native void stepsAdd(long steps, long begin, long end);

    static native void stepsFail(long steps);

    static native long stepsRecord(long steps);

    static native void stepsFree(long steps);

    /** Calls the iterations from C. The first that is thrown is in failure[0]. */
    static native long compare(long group, long[] planIntegers, double[] planReals, long[] patterns,
            Iteration<?>[] iterations, Throwable[] failure);

    static native int comparisonCount(long comparison);

    static native long comparisonRecord(long comparison, int alternative);

    /** Writes speed-up and interval. Returns the outcome; -1 - outcome if there is no interval. */
    static native int comparisonSpeedup(long comparison, int alternative, double gain, double confidence,
            double[] figures);

    static native int comparisonFastest(long comparison, double gain, double confidence);

    static native void comparisonSetApplication(long comparison, byte[] scope, double transfer, double waiting,
            double loop);

    static native void comparisonFree(long comparison);

    /** Writes the integers and the times and rates of sonde_summary in their order. Returns the stop reason. */
    static native byte[] recordSummary(long record, long[] integers, double[] reals);

    /** Writes a percentile; false if there are too few samples. */
    static native boolean recordPercentile(long record, double q, double[] time);

    static native double[] recordSeries(long record);

    static native double[] recordRankMeans(long record);

    static native double[] recordRankSamples(long record, int rank);

    static native byte[] recordText(long record);

    static native void recordFree(long record);

    /** 0 passes are those of C. */
    static native long probeCreate(long keptPasses);

    static native void probeFree(long probe);

    static native long probeScope(long probe, long parent, byte[] name, long bytes);

    static native long probeWork(long probe, long parent, byte[] name);

    static native long probeExchange(long probe, long parent, byte[] name, long bytes, int[] partners);

    /** Returns the reading of the clock at the begin of the pass. */
    static native long scopeEnter(long scope);

    static native void scopeLeave(long scope, long begin);

    static native long monitorCreate(long group, byte[] path, double interval);

    static native void monitorAdd(long monitor, long probe);

    static native boolean monitorWrite(long monitor);

    static native void monitorFree(long monitor);

    static native long collect(long group, long probe);

    static native int scopesCount(long scopes);

    /** Writes the integers and the real numbers of sonde_scope_summary in their order. Returns the name. */
    static native byte[] scopesSummary(long scopes, int index, long[] integers, double[] reals);

    static native void scopesFree(long scopes);

    static native long collectLateness(long group, long probe, double effect, double falseAlarms);

    /** The numbers of sonde_loop_summary in the order of Lateness.Numbers. */
    static native double[] latenessNumbers(long lateness);

    /** The texts: exchange and work of each late rank, the names of the exchanges, the exchanges of slow transfers, scope
     * and kind of effects. */
    static native byte[][] latenessTexts(long lateness);

    /** The sentences, each with a line feed. */
    static native byte[] latenessText(long lateness);

    static native void latenessFree(long lateness);

    /** A null file is standard output. */
    static native long reporterCreate(long group, byte[] file);

    static native void reportRecord(long reporter, long record);

    static native void reportComparison(long reporter, long comparison, double gain, double confidence);

    static native void reportScopes(long reporter, long scopes);

    static native void reportLateness(long reporter, long lateness);

    static native void reporterClose(long reporter);
}
