// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** The package on a few ranks: Checks FOLDER, where reports are written. In its package, for the measurement in steps. */
final class Checks {
    private static int failures;
    private static Group group;
    private static int me;
    private static int last;

    /** A call that may throw anything. */
    interface Call {
        void run() throws Exception;
    }

    /** Counts its calls, and throws in one of them. */
    static final class Counter implements Iteration<IOException> {
        final int failsAt;
        int calls;

        Counter(int failsAt) {
            this.failsAt = failsAt;
        }

        @Override
        public void call() throws IOException {
            if (++calls == failsAt) throw new IOException("in call " + calls);
        }
    }

    static void check(boolean holds) {
        if (holds) return;
        ++failures;
        StackWalker.getInstance().walk(frames -> frames.skip(1).filter(f -> !f.getMethodName().startsWith("fails")).findFirst())
                .ifPresent(f -> System.err.println(f.getFileName() + ":" + f.getLineNumber() + ": rank " + me + ": does not hold"));
    }

    static <T extends Throwable> T fails(Class<T> type, String text, Call call) {
        try {
            call.run();
        } catch (Throwable e) {
            boolean isExpected = type.isInstance(e) && String.valueOf(e.getMessage()).contains(text);
            check(isExpected);
            if (!isExpected) System.err.println("rank " + me + ": " + e);
            return isExpected ? type.cast(e) : null;
        }
        check(false);
        return null;
    }

    static void fails(SondeException.Status status, String text, Call call) {
        SondeException e = fails(SondeException.class, text, call);
        check(e != null && e.status() == status && e.code() == 0);
    }

    /** A measurement fed with times: each sample of n iterations takes n times a time, on this rank. */
    static Record fed(Plan plan, Pattern pattern, Iteration<RuntimeException> atSample, long... nanoseconds) {
        long what = pattern.create();
        try (Steps steps = new Steps(group, plan, what)) {
            for (long n = steps.next(); n != 0; n = steps.next())
                for (int i = 0; i != n; ++i) {
                    steps.synchronize();
                    atSample.call();
                    steps.add(1000, 1000 + nanoseconds[i % nanoseconds.length] * steps.batch());
                }
            return steps.record();
        } finally {
            Native.patternFree(what);
        }
    }

    /** Tells whether all ranks have equal values, by the times of a measurement. */
    static boolean equalOnRanks(Object... values) {
        Plan once = Plan.builder().warmup(0).samples(1).build();
        try (Record r = fed(once, Pattern.named("equal"), () -> {}, 1 + Integer.toUnsignedLong(Arrays.deepHashCode(values)))) {
            return r.rankMin() == r.rankMax();
        }
    }

    private static void checkClock() {
        long before = Sonde.now();
        long between = System.nanoTime();
        check(before <= between && between <= Sonde.now());
        before = System.nanoTime();
        between = Sonde.now();
        check(before <= between && between <= System.nanoTime());
    }

    private static void checkRun() throws IOException {
        Counter c = new Counter(0);
        Pattern pattern = Pattern.builder("zählt").parameter("bytes", 8).parameter("way", "a").parameter("part", 0.5)
                .bytes(8).messages(2).hops(2).build();
        Plan plan = Plan.builder().batch(4).keep(Plan.Keep.RANK_MEANS, Plan.Keep.RANK_SAMPLES).build();
        try (Record r = Sonde.run(group, plan, pattern, c)) {
            check(c.calls == 10 + 4 * 100);
            check(r.sampleCount() == 100 && r.batch() == 4);
            check(r.ranks() == group.size() && r.initiators() == group.size());
            check(r.stopReason().equals("samples") && r.latency() == r.median() / 2);
            check(r.toString().startsWith("zählt (bytes 8, way a, part 0.5): median "));
            check(r.samples().length == 100 && Arrays.stream(r.samples()).min().getAsDouble() == r.min());
            check(r.rankMeans().length == r.ranks());
            check(r.rankSamples(last).length == (me == 0 ? 100 : 0) && r.rankSamples(r.ranks()).length == 0);
            check(equalOnRanks(r.samples(), r.median(), r.interval(), r.first(), r.flags().toString(), r.toString()));
            check(!equalOnRanks(me) || last == 0);
        }
        c = new Counter(0);
        Pattern idle = Pattern.builder("idle").role(me == last ? Pattern.Role.IDLE : Pattern.Role.INITIATOR).build();
        try (Record r = Sonde.run(group, Plan.builder().build(), idle, c)) {
            check(r.initiators() == last && c.calls == (me == last ? 0 : 110));
        }
        c = new Counter(0);
        for (Plan.Synchronization way : Plan.Synchronization.values()) {
            plan = Plan.interactive().timeBudget(0.02).samples(50).synchronize(way).build();
            try (Record r = Sonde.run(group, plan, Pattern.named("ways"), c)) {
                check(r.sampleCount() >= 1 && r.sampleCount() <= 50);
                check(equalOnRanks(r.sampleCount(), r.batch(), r.stopReason(), c.calls));
            }
        }
    }

    private static void checkFigures() {
        int[] samples = {0};
        Plan plan = Plan.builder().batch(3).build();
        Pattern pattern = Pattern.builder("fed").bytes(1000).messages(2).hops(2).build();
        long slow = me == 0 ? 3000 : 2000; // every fifth sample, on rank 0
        try (Record r = fed(plan, pattern, () -> ++samples[0], 2000, 2000, 2000, 2000, slow)) {
            check(samples[0] == 10 + 100);
            check(r.median() == 2e-6 && r.min() == 2e-6 && r.max() == 3e-6 && r.latency() == 1e-6);
            check(Math.abs(r.mean() - 2.2e-6) < 1e-15 && Math.abs(r.stddev() - 0.4020e-6) < 1e-10);
            check(Math.round(r.bandwidth()) == r.ranks() * 500_000_000L);
            check(r.busBandwidth() == r.bandwidth() && Math.round(r.messageRate()) == r.ranks() * 1_000_000L);
            check(r.interval().isEmpty() || r.interval().get().low() <= 2e-6 && r.interval().get().high() >= 2e-6);
            check(r.percentile(0.5).getAsDouble() == 2e-6 && r.percentile(0.95).getAsDouble() == 3e-6);
            check(r.percentile(0.9999).equals(OptionalDouble.empty()));
            check(Math.abs(r.rankMin() - (last == 0 ? 2.2e-6 : 2e-6)) < 1e-15 && Math.abs(r.rankMax() - 2.2e-6) < 1e-15);
            check(r.samples()[3] == 2e-6 && r.samples()[4] == 3e-6);
            fails(SondeException.Status.INVALID_ARGUMENT, "quantile", () -> r.percentile(1));
        }
        try (Record few = fed(Plan.builder().samples(3).build(), pattern, () -> {}, 2000)) {
            check(few.sampleCount() == 3 && few.interval().isEmpty());
        }
        Pattern answers = Pattern.builder("answers").role(me == 0 ? Pattern.Role.INITIATOR : Pattern.Role.RESPONDER).build();
        try (Record r = fed(Plan.builder().build(), answers, () -> {}, 1000 * (me + 1))) {
            check(r.initiators() == 1 && r.median() == 1e-6);
            check(r.interval().get().low() <= 1e-6 && r.interval().get().high() >= 1e-6);
        }
        for (long time : new long[] {1, 1_000_000_000}) { // too short for any clock, and long enough
            try (Record r = fed(Plan.builder().build(), Pattern.named("flags"), () -> {}, time)) {
                check(r.flags().contains("timer_limited") == (time == 1));
                check(!r.flags().contains("clock_fault"));
            }
        }
    }

    /** An exception on the last rank, in the warm-up and after it: that rank goes on to the end of the block. */
    private static void checkFailure() {
        for (int at : new int[] {3, 33}) {
            Counter c = new Counter(me == last ? at : 0);
            Plan plan = Plan.builder().batch(2).build();
            Call run = () -> Sonde.run(group, plan, Pattern.named("failing"), c).close();
            if (me == last) fails(IOException.class, "in call " + at, run);
            else fails(SondeException.Status.OTHER_RANK, "failed on rank " + last, run);
            check(c.calls >= 10 && equalOnRanks(c.calls));
            Call compare = () -> Sonde.compare(group, plan, List.of(Pattern.named("a"), Pattern.named("b")), new Counter(0),
                    new Counter(me == last ? at : 0)).close();
            if (me == last) fails(IOException.class, "in call " + at, compare);
            else fails(SondeException.Status.OTHER_RANK, "failed on rank " + last, compare);
        }
        Error error = new AssertionError("of the application");
        Call run = () -> Sonde.run(group, Plan.builder().build(), Pattern.named("error"), () -> { throw error; });
        check(fails(AssertionError.class, "of the application", run) == error);
        Object nothing = me < 0 ? "" : null; // the JVM still catches its own signals
        Call dereference = () -> Sonde.run(group, Plan.builder().warmup(20000).build(), Pattern.named("null"), () -> nothing.hashCode());
        fails(NullPointerException.class, "", dereference);
    }

    private static void checkCompare() throws IOException {
        Counter a = new Counter(0);
        Counter b = new Counter(0);
        List<Pattern> patterns = List.of(Pattern.named("a"), Pattern.named("other"));
        Record kept;
        try (Comparison found = Sonde.compare(group, Plan.builder().build(), patterns, a, b)) {
            check(a.calls == 10 + 100 && b.calls == 10 + 100);
            check(found.size() == 2 && found.record(1).toString().startsWith("other: "));
            Comparison.Speedup base = found.speedup(0, 0, 0.95);
            check(base.speedup() == 1 && base.interval().isEmpty() && base.outcome() == Comparison.Outcome.UNDECIDED);
            Comparison.Speedup other = found.speedup(1, 0.99, 0.95);
            // Without an interval, the speed-ups of the rounds were correlated.
            check(other.interval().isEmpty()
                    || other.interval().get().low() <= other.speedup() && other.speedup() <= other.interval().get().high());
            check(other.outcome() == Comparison.Outcome.UNDECIDED && found.fastest(0.99, 0.95) == 0);
            check(equalOnRanks(other.toString(), found.record(0).samples(), found.record(1).samples()));
            fails(IndexOutOfBoundsException.class, "no alternative 2", () -> found.record(2));
            fails(IndexOutOfBoundsException.class, "no alternative -1", () -> found.record(-1));
            fails(IndexOutOfBoundsException.class, "no alternative -1", () -> found.speedup(-1, 0, 0.95));
            fails(SondeException.Status.INVALID_ARGUMENT, "gain", () -> found.speedup(1, -1, 0.95));
            found.setApplication("halo", 1, 2, 10);
            fails(SondeException.Status.INVALID_ARGUMENT, "a time of the application", () -> found.setApplication("halo", -1, 2, 10));
            kept = found.record(1);
        }
        fails(IllegalStateException.class, "this Comparison is closed", kept::median);
    }

    @SuppressWarnings("try") // a pass is closed and not used
    private static void checkProbe() {
        Probe probe = new Probe();
        Probe.Scope outer = probe.scope("outer");
        Probe.Scope inner = outer.scope("inner", 100);
        fails(SondeException.Status.INVALID_ARGUMENT, "another number of bytes", () -> outer.scope("inner", 99));
        fails(SondeException.Status.INVALID_ARGUMENT, "negative", () -> outer.scope("inner", -1));
        fails(NullPointerException.class, "sonde: the name of a scope is null", () -> outer.scope(null));
        fails(IllegalArgumentException.class, "sonde: the name of a scope has a null character", () -> outer.scope("in\0ner"));
        for (int i = 0; i != 3; ++i) {
            try (Probe.Pass step = outer.enter()) {
                Probe.Pass part = inner.enter();
                part.close();
                part.close(); // nothing to do
            }
        }
        Scopes kept;
        try (Scopes found = probe.collect(group)) {
            check(found.size() == 2);
            Scopes.Summary s = found.get(1);
            check(s.name().equals("inner") && s.parent() == 0 && s.ranks() == group.size());
            check(s.passes() == 3L * group.size() && s.bytes() == 300.0 * group.size());
            check(found.get(0).name().equals("outer") && found.get(0).parent() == -1 && found.get(0).bandwidth() == 0);
            check(s.totalMax() <= found.get(0).totalMax() && equalOnRanks(s.toString(), found.get(0).toString()));
            fails(IndexOutOfBoundsException.class, "no scope 2", () -> found.get(2));
            kept = found;
        }
        checkSlowRank();
        fails(IllegalStateException.class, "this Scopes is closed", kept::size);
        Probe.Pass late = outer.enter();
        probe.close();
        probe.close(); // nothing to do
        fails(IllegalStateException.class, "this Probe is closed", () -> probe.scope("outer"));
        fails(IllegalStateException.class, "this Probe is closed", outer::enter);
        fails(IllegalStateException.class, "this Probe is closed", late::close);
    }

    /** A scope in which the last rank takes ten times as long, and one in which all ranks take the same time. */
    private static void checkSlowRank() {
        int last = group.size() - 1;
        try (Probe probe = new Probe()) {
            long now = System.nanoTime();
            long work = Native.probeScope(probe.handle(), 0, Native.bytes("work"), 0);
            Native.scopeLeave(work, now - (group.rank() == last ? 1_000_000_000_000L : 100_000_000_000L));
            long even = Native.probeScope(probe.handle(), 0, Native.bytes("even"), 0);
            Native.scopeLeave(even, now - 1_000_000_000_000L);
            try (Scopes found = probe.collect(group)) {
                check(found.get(0).slowRank() == (last == 0 ? -1 : last) && found.get(1).slowRank() == -1);
            }
        }
    }

    private static void checkReports(Path folder) throws IOException {
        Path file = folder.resolve("checks_" + group.size() + ".csv");
        try (Reporter csv = new Reporter(group, file.toString());
                Record r = fed(Plan.builder().samples(20).build(), Pattern.named("fed"), () -> {}, 2000)) {
            csv.report(r);
        }
        group.barrier();
        List<String> lines = Files.readAllLines(file);
        check(lines.size() == 2 && lines.get(0).startsWith("name,") && lines.get(1).startsWith("fed,"));
        try (Reporter table = Reporter.table(group);
                Probe probe = new Probe(); Scopes none = probe.collect(group);
                Comparison two = Sonde.compare(group, Plan.builder().build(), List.of(Pattern.named("a"), Pattern.named("b")),
                        () -> {}, () -> {})) {
            table.report(two, 0.02, 0.95);
            table.report(none);
        }
        fails(SondeException.Status.INVALID_ARGUMENT, "must end in", () -> new Reporter(group, "report.doc"));
        SondeException e = fails(SondeException.class, "no such folder", () -> new Reporter(group, folder + "/no such folder/x.csv"));
        check(e != null && e.status() == SondeException.Status.FILE_ERROR && e.code() == 2); // ENOENT
    }

    private static void checkClosed() {
        Record r = fed(Plan.builder().build(), Pattern.named("closed"), () -> {}, 1000);
        r.close();
        r.close(); // nothing to do
        for (Call call : List.<Call>of(r::median, r::samples, r::toString, r::flags, r::stopReason, r::interval))
            fails(IllegalStateException.class, "this Record is closed", call);
        fails(IllegalArgumentException.class, "the handle 1099511627776 is no integer of Fortran", () -> new Group(1L << 40));
        Group other = Group.world();
        other.close();
        fails(IllegalStateException.class, "this Group is closed", other::barrier);
        fails(IllegalStateException.class, "this Group is closed", other::rank);
    }

    /** The jar has its license, and coordinates of its version. */
    private static void checkJar() throws IOException {
        check(text("/META-INF/LICENSE").startsWith("Boost Software License - Version 1.0"));
        String pom = text("/META-INF/maven/org.sonde/sonde/pom.xml");
        check(pom.contains("<artifactId>sonde</artifactId>") && pom.contains("<version>" + Sonde.version() + "</version>"));
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = Sonde.class.getResourceAsStream(resource)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void main(String[] arguments) throws IOException {
        check(!Sonde.isRunning() && Sonde.version().startsWith("0."));
        fails(SondeException.Status.INVALID_STATE, "MPI is not running", Group::world);
        fails(SondeException.Status.INVALID_STATE, "MPI is not running", Sonde::finalizeMpi);
        Sonde.initialize();
        fails(SondeException.Status.INVALID_STATE, "initialized already", Sonde::initialize);
        group = Group.world();
        me = group.rank();
        last = group.size() - 1;
        checkJar();
        checkClock();
        checkRun();
        checkFigures();
        checkFailure();
        checkCompare();
        checkProbe();
        LatenessChecks.run(group, Path.of(arguments[0]));
        MonitorChecks.run(group, Path.of(arguments[0]));
        checkReports(Path.of(arguments[0]));
        ArgumentChecks.run(group, Path.of(arguments[0]));
        checkClosed();
        group.barrier();
        group.close();
        Sonde.finalizeMpi();
        fails(SondeException.Status.INVALID_STATE, "MPI is not running", Group::world);
        System.exit(failures == 0 ? 0 : 1);
    }
}
