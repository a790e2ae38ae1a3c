// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import static org.sonde.Checks.check;
import static org.sonde.Checks.fails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.sonde.Checks.Call;
import org.sonde.Checks.Counter;

/** What one rank gives wrongly, in a call or before it, is reported on all ranks; communicators of Open MPI's binding. */
final class ArgumentChecks {
    private static Group group;
    private static int me;
    private static int last;

    private ArgumentChecks() {}

    /** Collective over the group; a report is written to the folder. */
    static void run(Group ranks, Path folder) throws IOException {
        group = ranks;
        me = ranks.rank();
        last = ranks.size() - 1;
        checkArguments();
        checkPatterns();
        checkPlans();
        checkObjects(folder);
        checkCommunicators();
    }

    /** Wrong arguments of one rank are reported on all ranks. */
    private static void checkArguments() {
        Plan plan = Plan.builder().build();
        Pattern pattern = Pattern.named("a");
        Iteration<RuntimeException> nothing = () -> {};
        boolean isLast = me == last;
        Plan negative = Plan.builder().batch(isLast ? -1 : 1).build();
        fails(SondeException.Status.INVALID_ARGUMENT, "the plan's batch is negative", () -> Sonde.run(group, negative, pattern, nothing));
        Plan endless = Plan.builder().samples(0).build();
        fails(SondeException.Status.INVALID_ARGUMENT, "none of samples", () -> Sonde.run(group, endless, pattern, nothing));
        Counter c = new Counter(0);
        Plan late = Plan.interactive().timeBudget(isLast ? -1 : 1).build(); // before the time of the compiler
        fails(SondeException.Status.INVALID_ARGUMENT, "time_budget", () -> Sonde.run(group, late, pattern, c));
        fails(SondeException.Status.INVALID_ARGUMENT, "time_budget", () -> Sonde.compare(group, late, List.of(pattern), c));
        check(c.calls == 0);
        List<Call> calls = List.of(() -> Sonde.run(group, isLast ? null : plan, pattern, nothing),
                () -> Sonde.run(group, plan, isLast ? null : pattern, nothing),
                () -> Sonde.run(group, plan, pattern, isLast ? null : nothing),
                () -> Sonde.compare(group, isLast ? null : plan, List.of(pattern), nothing),
                () -> Sonde.compare(group, plan, isLast ? null : List.of(pattern), nothing),
                () -> Sonde.compare(group, plan, List.of(pattern), isLast ? null : nothing),
                () -> Sonde.compare(group, plan, Arrays.asList(isLast ? null : pattern), nothing));
        List<String> nulls = List.of("the plan", "the pattern", "the iteration", "the plan", "the list of patterns", "iteration 0", "pattern 0");
        for (int i = 0; i != calls.size(); ++i) failsOnLast(NullPointerException.class, "sonde: " + nulls.get(i) + " is null", calls.get(i));
        failsOnLast(IllegalArgumentException.class, "there are 0 patterns and 1 iterations",
                () -> Sonde.compare(group, plan, isLast ? List.of() : List.of(pattern), nothing));
        fails(NullPointerException.class, "sonde: the group is null", () -> Sonde.run(null, plan, pattern, nothing));
        fails(NullPointerException.class, "sonde: the group is null", () -> new Reporter(null, "x.csv"));
    }

    /** A wrong argument of the last rank: an exception of its type there, with this text, and of the library elsewhere. */
    private static void failsOnLast(Class<? extends Throwable> type, String text, Call call) {
        if (me == last) fails(type, text, call);
        else fails(SondeException.Status.INVALID_ARGUMENT, "rank " + last + ": sonde: ", call);
    }

    /** What one rank gives to the builder of a pattern is reported in the collective call. */
    private static void checkPatterns() {
        Plan plan = Plan.builder().build();
        boolean isLast = me == last;
        Iteration<RuntimeException> nothing = () -> {};
        UnaryOperator<Pattern.Builder> none = UnaryOperator.identity();
        List<UnaryOperator<Pattern.Builder>> wrong = List.of(b -> b.role(null), b -> b.parameter("way", null), b -> b.parameter(null, "a"),
                b -> b.parameter(null, 1));
        List<String> texts = List.of("the role of a", "the parameter way of a", "the name of a parameter of a", "the name of a parameter of a");
        for (int i = 0; i != wrong.size(); ++i) {
            Pattern.Builder builder = (isLast ? wrong.get(i) : none).apply(Pattern.builder("a"));
            Pattern pattern = builder.build();
            for (Plan each : List.of(plan, Plan.interactive().build())) {
                failsOnLast(NullPointerException.class, "sonde: " + texts.get(i) + " is null", () -> Sonde.run(group, each, pattern, nothing));
                failsOnLast(NullPointerException.class, "sonde: " + texts.get(i) + " is null",
                        () -> Sonde.compare(group, each, List.of(Pattern.named("b"), pattern), nothing, nothing));
            }
        }
        Pattern named = Pattern.named(isLast ? null : "a");
        failsOnLast(NullPointerException.class, "sonde: the name of a pattern is null", () -> Sonde.run(group, plan, named, nothing));
        Pattern cut = Pattern.named(isLast ? "a\0b" : "a");
        failsOnLast(IllegalArgumentException.class, "sonde: the name of a pattern has a null character", () -> Sonde.run(group, plan, cut, nothing));
        List<UnaryOperator<Pattern.Builder>> numbers = List.of(b -> b.bytes(-1), b -> b.messages(-1), b -> b.sharedBy(-1), b -> b.hops(0),
                b -> b.busFactor(-1));
        List<String> numberTexts = List.of("the bytes of a", "the messages of a", "shared_by of a", "the hops of a", "the bus_factor of a");
        for (int i = 0; i != numbers.size(); ++i) {
            Pattern pattern = (isLast ? numbers.get(i) : none).apply(Pattern.builder("a")).build();
            fails(SondeException.Status.INVALID_ARGUMENT, (isLast ? "" : "rank " + last + ": ") + "sonde: " + numberTexts.get(i),
                    () -> Sonde.run(group, plan, pattern, nothing));
        }
    }

    /** The same for the builder of a plan. */
    private static void checkPlans() {
        boolean isLast = me == last;
        Iteration<RuntimeException> nothing = () -> {};
        Plan.Synchronization unknown = isLast ? null : Plan.Synchronization.NONE;
        Plan.Keep kept = isLast ? null : Plan.Keep.RANK_MEANS;
        for (Plan.Builder builder : List.of(Plan.builder(), Plan.interactive())) {
            Plan synchronization = builder.synchronize(unknown).build();
            Plan keep = Plan.builder().keep(kept).build();
            failsOnLast(NullPointerException.class, "sonde: the plan's synchronization is null",
                    () -> Sonde.run(group, synchronization, Pattern.named("a"), nothing));
            failsOnLast(NullPointerException.class, "sonde: what the plan keeps is null",
                    () -> Sonde.compare(group, keep, List.of(Pattern.named("a")), nothing));
        }
    }

    /** The same for an object that is closed on one rank, and for a file without a name. */
    private static void checkObjects(Path folder) {
        boolean isLast = me == last;
        Probe probe = new Probe();
        if (isLast) probe.close();
        failsOnLast(IllegalStateException.class, "this Probe is closed", () -> probe.collect(group));
        probe.close();
        String file = folder.resolve("builders_" + group.size() + ".csv").toString();
        if (isLast) fails(NullPointerException.class, "sonde: the file of a reporter is null", () -> new Reporter(group, null));
        else new Reporter(group, file).close();
    }

    /** A group of some ranks, on a communicator of Open MPI's binding, if its native library is beside the MPI library. */
    private static void checkCommunicators() throws IOException {
        String type = "it must be an mpi.Comm of Open MPI's binding";
        fails(IllegalArgumentException.class, "sonde: the communicator is of type java.lang.String; " + type, () -> Group.of("world"));
        fails(NullPointerException.class, "sonde: the communicator is null", () -> Group.of(null));
        Path library = Files.lines(Path.of("/proc/self/maps")).map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .filter(file -> file.contains("/libmpi.so")).findFirst().map(Path::of).orElse(Path.of("/none"));
        Path binding = library.resolveSibling("libmpi_java.so.40");
        if (!Files.exists(binding)) return;
        fails(SondeException.Status.INVALID_ARGUMENT, "MPI.Init has not been called", () -> Group.of(mpi.OpenMpiComm.uninitialized()));
        System.load(binding.toString());
        try (Group half = Group.of(mpi.OpenMpiComm.split(me % 2, -me));
                Record r = Sonde.run(half, Plan.builder().build(), Pattern.named("half"), half::barrier)) {
            int size = (group.size() + 1 - me % 2) / 2;
            check(half.size() == size && half.rank() == size - 1 - me / 2 && r.ranks() == size);
        }
    }
}
