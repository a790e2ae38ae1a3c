// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import static org.sonde.Checks.check;
import static org.sonde.Checks.equalOnRanks;
import static org.sonde.Checks.fails;
import static org.sonde.Checks.fed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Who made ranks wait: of two ranks, rank 1 works 9 ms in each step, and rank 0 3 ms. */
final class LatenessChecks {
    private static final int STEPS = 60;
    private static final long MS = 1_000_000;

    private LatenessChecks() {}

    private static void sleepUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) LockSupport.parkNanos(left);
    }

    /** The latest of all ranks' times, as the largest time of a measurement. */
    private static long latest(long time) {
        Plan once = Plan.builder().warmup(0).samples(1).build();
        try (Record r = fed(once, Pattern.named("latest"), () -> {}, time)) {
            return Math.round(r.rankMax() * 1e9);
        }
    }

    /** Steps of 15 ms, whose exchange ends after 12 ms. None polls, so that other programs leave a rank its core. */
    @SuppressWarnings("try") // a pass is closed and not used
    private static void passSteps(Probe.Scope solve, Probe.Scope halo, boolean isLate) {
        long begin = latest(System.nanoTime()) + 15 * MS;
        for (int i = 0; i != STEPS; ++i, begin += 15 * MS) {
            sleepUntil(begin);
            try (Probe.Pass working = solve.enter()) {
                sleepUntil(begin + (isLate ? 9 : 3) * MS);
            }
            try (Probe.Pass exchanging = halo.enter()) {
                sleepUntil(begin + 12 * MS);
            }
        }
    }

    private static void checkFigures(Lateness.Summary found, Group group, int last) {
        check(found.steps() == STEPS && found.hasEnoughSteps() && found.observed() > 0 && found.clockError() >= 0);
        check(found.waiting() > 0.01 && found.transfer() >= 0 && found.waiting() + found.transfer() < 1);
        check(found.interval().map(i -> i.low() <= found.waiting() && found.waiting() <= i.high()).orElse(true));
        check(found.exchanges().size() == 1);
        Lateness.Exchange halo = found.exchanges().get(0);
        check(halo.name().equals("halo") && halo.passes() == STEPS && halo.unexamined() == 0 && halo.unequal().isEmpty());
        check(halo.waiting() > 0 && halo.transfer() > 0 && found.ranks().size() == group.size());
        check(found.ranks().get(0).waiting() > 0 && found.ranks().get(last).causedByWork() > 0);
        Lateness.Late late = found.late().stream().filter(one -> one.rank() == last).findFirst().orElse(null);
        check(late != null); // beside a rank that another program has disturbed
        if (late == null) return;
        check(late.exchange().equals("halo") && late.work().equals("solve"));
        check(late.caused() > 0 && late.share() > 0.3 && late.lateness() > 3e-3 && late.ratio() > 1.5);
        check(late.steps().size() > STEPS / 4 && late.steps().size() <= late.ofSteps() && !late.ofOtherSteps());
        check(late.steps().get(0) < STEPS);
    }

    private static void checkText(Lateness found, int last) {
        check(found.sentences().get(0).startsWith("Ranks waited "));
        check(found.toString().contains(".\nRank " + last + " caused "));
    }

    /** Of 100 steps, the latest 64 are kept. Each fifth one works ten times as long. Rank 0 passes the exchange once more. */
    @SuppressWarnings("try") // a pass is closed and not used
    private static void checkKeptPasses(Group group) {
        try (Probe probe = new Probe(128)) {
            Probe.Scope solve = probe.work("solve");
            Probe.Scope halo = probe.exchange("halo", 0);
            for (int i = 0; i != (group.rank() == 0 ? 101 : 100); ++i) {
                try (Probe.Pass working = solve.enter()) {
                    sleepUntil(System.nanoTime() + (i % 5 == 3 ? 2 * MS : MS / 5));
                }
                halo.enter().close();
            }
            try (Lateness found = probe.collectLateness(group, 0.1, 0.02)) {
                Lateness.Exchange exchange = found.summary().exchanges().get(0);
                check(exchange.passes() + exchange.unexamined() == (group.size() == 1 ? 101 : 100));
                check(exchange.unexamined() == 37);
                Lateness.Unequal once = new Lateness.Unequal(100, 1, 101, 0);
                check(exchange.unequal().equals(group.size() == 1 ? Optional.empty() : Optional.of(once)));
                List<Lateness.Effect> effects = found.summary().effects(); // none if other programs disturb the loop
                boolean isTold = found.toString().contains("`solve` on most ranks: ");
                check(effects.stream().anyMatch(e -> e.scope().equals("solve")) == isTold);
                for (Lateness.Effect e : effects) {
                    check(!e.steps().isEmpty() && e.ofSteps() == exchange.passes() - 1 && e.p() < 0.02);
                    if (!e.kind().equals("period") || !e.scope().equals("solve")) continue;
                    check(e.period() == 5 && e.steps().get(0) % 5 == 3 && e.excess() > 1e-3 && e.typical() > 1e-4);
                }
            }
            fails(SondeException.Status.INVALID_ARGUMENT, "the effect must be at least 0", () -> probe.collectLateness(group, 2, 0));
        }
        fails(SondeException.Status.INVALID_ARGUMENT, "more than 2^32 passes", () -> new Probe(0));
    }

    static void run(Group group, Path folder) throws IOException {
        int last = group.size() - 1;
        checkKeptPasses(group);
        Probe probe = new Probe();
        Probe.Scope solve = probe.work("solve");
        Probe.Scope halo = probe.exchange("halo", 8, IntStream.range(0, group.size()).toArray());
        if (last == 1) passSteps(solve, halo, group.rank() == last);
        Path file = folder.resolve("lateness_" + group.size() + ".txt");
        String first;
        Lateness closed;
        try (Lateness found = probe.collectLateness(group); Reporter table = new Reporter(group, file.toString())) {
            first = found.sentences().get(0);
            check(equalOnRanks(found.summary().toString(), found.toString()));
            if (last == 1) checkFigures(found.summary(), group, last);
            if (last == 1) checkText(found, last);
            table.report(found);
            closed = found;
        }
        group.barrier();
        check(Files.readString(file).contains(first));
        try (Reporter table = Reporter.table(group); Scopes scopes = probe.collect(group)) {
            fails(IllegalStateException.class, "this Lateness is closed", () -> table.report(closed));
            check(scopes.get(0).kind() == Scopes.Kind.WORK && scopes.get(1).kind() == Scopes.Kind.EXCHANGE);
        }
        fails(SondeException.Status.INVALID_ARGUMENT, "another kind: halo", () -> probe.work("halo"));
        fails(SondeException.Status.INVALID_ARGUMENT, "other partners: halo", () -> probe.exchange("halo", 0, last + 1));
        fails(NullPointerException.class, "the array of partners is null", () -> halo.exchange("inner", 0, (int[]) null));
        solve.work("part");
        halo.exchange("inner", 0, last + 1);
        fails(SondeException.Status.INVALID_ARGUMENT, "has the partner " + (last + 1), () -> probe.collectLateness(group));
        probe.close();
        fails(IllegalStateException.class, "this Probe is closed", () -> probe.collectLateness(group));
    }
}
