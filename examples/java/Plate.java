// SPDX-License-Identifier: BSL-1.0

import java.util.List;

import org.sonde.Comparison;
import org.sonde.Group;
import org.sonde.Pattern;
import org.sonde.Plan;
import org.sonde.Probe;
import org.sonde.Record;
import org.sonde.Reporter;
import org.sonde.Scopes;
import org.sonde.Sonde;

/**
 * A plate on each rank is smoothed, and the ranks wait for each other after each step. The application measures the
 * smoothing and the barrier where it uses them, chooses the faster of two ways to smooth, and knows at the end how long
 * its phases took: Plate [REPORT].
 */
public final class Plate {
    private static final int N = 128;
    private static final int STEPS = 500;

    private final double[][] from = new double[N][N];
    private final double[][] to = new double[N][N];

    private Plate() {
        for (double[] row : from) row[0] = 1; // the left edge is hot
        for (double[] row : to) row[0] = 1;
    }

    private void byRows() {
        for (int i = 1; i != N - 1; ++i)
            for (int j = 1; j != N - 1; ++j)
                to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
    }

    private void byColumns() {
        for (int j = 1; j != N - 1; ++j)
            for (int i = 1; i != N - 1; ++i)
                to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
    }

    // [measure]
    private static void measure(Group group, Plate plate, Reporter table) {
        Plan tenIterations = Plan.builder().build();
        Plan untilStable = Plan.interactive().build();
        Pattern cold = Pattern.builder("smooth").parameter("warmup", 10).build();
        Pattern warm = Pattern.builder("smooth").parameter("warmup", "stable").build();
        try (Record first = Sonde.run(group, tenIterations, cold, plate::byRows);
                Record compiled = Sonde.run(group, untilStable, warm, plate::byRows);
                Record barrier = Sonde.run(group, untilStable, Pattern.named("barrier"), group::barrier)) {
            table.report(first);
            table.report(compiled);
            table.report(barrier);
        }
    }
    // [/measure]

    /** The faster way to smooth, equal on all ranks. */
    private static boolean columnsAreFaster(Group group, Plate plate, Reporter table) {
        List<Pattern> ways = List.of(Pattern.named("by rows"), Pattern.named("by columns"));
        Plan plan = Plan.interactive().build();
        try (Comparison both = Sonde.compare(group, plan, ways, plate::byRows, plate::byColumns)) {
            table.report(both, 0.02, 0.95);
            return both.fastest(0.02, 0.95) == 1;
        }
    }

    private void solve(Group group, boolean columns, Reporter table) {
        try (Probe probe = new Probe()) {
            Probe.Scope step = probe.scope("step");
            Probe.Scope smooth = step.scope("smooth");
            Probe.Scope barrier = step.scope("barrier");
            for (int i = 0; i != STEPS; ++i) {
                Probe.Pass inStep = step.enter();
                Probe.Pass inSmooth = smooth.enter();
                if (columns) byColumns();
                else byRows();
                for (int k = 1; k != N - 1; ++k) System.arraycopy(to[k], 1, from[k], 1, N - 2);
                inSmooth.close();
                Probe.Pass inBarrier = barrier.enter();
                group.barrier();
                inBarrier.close();
                inStep.close();
            }
            try (Scopes scopes = probe.collect(group)) {
                table.report(scopes);
            }
        }
    }

    public static void main(String[] arguments) {
        Sonde.initialize();
        Plate plate = new Plate();
        try (Group group = Group.world();
                Reporter table = arguments.length == 0 ? Reporter.table(group) : new Reporter(group, arguments[0])) {
            measure(group, plate, table);
            plate.solve(group, columnsAreFaster(group, plate, table), table);
        }
        Sonde.finalizeMpi();
        check(plate);
    }

    /** The plate is symmetric, and colder towards the right. */
    private static void check(Plate plate) {
        for (int i = 1; i != N - 1; ++i)
            for (int j = 1; j != N - 1; ++j)
                if (plate.from[i][j] > plate.from[i][j - 1] || plate.from[i][j] != plate.from[N - 1 - i][j])
                    throw new IllegalStateException("the plate is wrong at " + i + ", " + j);
    }
}
