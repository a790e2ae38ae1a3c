// SPDX-License-Identifier: BSL-1.0

// The cost of a pass of a scope: two readings of the clock, shown for comparison, and a count. A timeline adds an
// event, a monitor counters that others read.

#include "limit.hpp"

#include <sonde/probe/collect.hpp>
#include <sonde/probe/live_scope.hpp>
#include <sonde/sonde.hpp>
#include <sonde/timeline.hpp>

#include <cstdio>

int main() {
    sonde::single_rank alone;
    auto const plan = sonde::plan<>{}.batch(10'000).until(sonde::samples{301});
    sonde::steady_clock const clock;
    auto const read = [&clock] {
        auto now = clock.now();
        asm volatile("" : "+m"(now));
    };
    sonde::timeline timeline;
    sonde::scope_table table;
    sonde::probe probe, recorded_probe, monitored_probe;
    monitored_probe.publish_in(table);
    recorded_probe.record_in(timeline.add_track("main"));
    auto &scope = probe.scope("work"), &recorded_scope = recorded_probe.scope("work"),
         &monitored_scope = monitored_probe.scope("work"), &exchange = probe.exchange("exchange"),
         &monitored_exchange = monitored_probe.exchange("exchange");
    auto const readings = sonde::run(alone, plan, [&] { read(), read(); });
    auto const passes = sonde::run(alone, plan, [&] { auto const pass = scope.enter(); });
    auto const recorded = sonde::run(alone, plan, [&] { auto const pass = recorded_scope.enter(); });
    auto const kept = sonde::run(alone, plan, [&] { auto const pass = exchange.enter(); });
    auto const monitored = sonde::run(alone, plan, [&] { auto const pass = monitored_scope.enter(); });
    auto const both = sonde::run(alone, plan, [&] { auto const pass = monitored_exchange.enter(); });
    auto const ns = [](sonde::record const& r) { return 1e9 * sonde::median(r).count(); };
    std::printf("ns of two readings of the clock: %.4g\n", ns(readings));
    auto const status = report("ns of a pass of a probe's scope", ns(passes), 60) +
                        report("ns of a pass of an exchange, which is kept", ns(kept), 60);
    auto const more = report("ns more with a timeline", ns(recorded) - ns(passes), 25) +
                      report("ns more with a monitor", ns(monitored) - ns(passes), 25) +
                      report("ns more of an exchange with a monitor", ns(both) - ns(kept), 25);
    return status + more == 0 ? 0 : 1;
}
