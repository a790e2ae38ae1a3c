// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import static org.sonde.Checks.check;
import static org.sonde.Checks.equalOnRanks;
import static org.sonde.Checks.fails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A monitor: one file has the passes of all ranks, and a probe may outlive it. */
final class MonitorChecks {
    private MonitorChecks() {}

    private static void waitForAll() {
        check(equalOnRanks(0));
    }

    @SuppressWarnings("try") // a pass is closed and not used
    static void run(Group group, Path folder) throws IOException {
        Path path = folder.resolve("java_monitor_" + group.size() + ".prom");
        Monitor monitor = new Monitor(group, path.toString(), 3600);
        try (Probe probe = new Probe()) {
            monitor.add(probe);
            Probe.Scope work = probe.work("work");
            for (int i = 0; i != 5; ++i) {
                try (Probe.Pass pass = work.enter()) {
                }
            }
            try (Probe.Pass pass = work.enter()) {
                waitForAll();
                check(monitor.write() || group.size() > 1);
                waitForAll();
                String text = Files.readString(path);
                check(text.contains("state=\"running\"} " + group.size() + "\n"));
                check(text.contains("scope=\"work\"} " + 5 * group.size() + "\n"));
                check(!text.contains("scope=\"work\"} 0\n")); // it is under way
                waitForAll();
            }
            monitor.close();
            fails(IllegalStateException.class, "closed", () -> monitor.add(probe));
            fails(SondeException.Status.INVALID_ARGUMENT, "at least 1 ms", () -> new Monitor(group, path.toString(), 1e-4));
            fails(NullPointerException.class, "the path of the file", () -> new Monitor(group, null, 0));
            try (Probe.Pass pass = work.enter()) {
            }
        }
        waitForAll();
        check(!Files.exists(path));
    }
}
