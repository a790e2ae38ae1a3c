// SPDX-License-Identifier: BSL-1.0

// The cost of a pass of a scope: two readings of the clock, shown for comparison, and a count.

#include "limit.hpp"

#include <sonde/probe/collect.hpp>
#include <sonde/sonde.hpp>

#include <cstdio>

int main() {
    sonde::solo alone;
    auto const plan = sonde::plan<>{}.batch(10'000).until(sonde::samples{301});
    sonde::steady_clock const clock;
    auto const read = [&clock] {
        auto now = clock.now();
        asm volatile("" : "+m"(now));
    };
    sonde::probe probe;
    auto& scope = probe.scope("work");
    auto const readings = sonde::run(alone, plan, [&] { read(), read(); });
    auto const passes = sonde::run(alone, plan, [&] { auto const pass = scope.enter(); });
    std::printf("ns of two readings of the clock: %.4g\n", 1e9 * sonde::median(readings).count());
    return report("ns of a pass of a probe's scope", 1e9 * sonde::median(passes).count(), 60);
}
