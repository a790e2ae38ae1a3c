// SPDX-License-Identifier: BSL-1.0
// An application that found Sonde installed: it measures its own code, and succeeds only if the measurement is right.
#include "work.hpp"

#include <sonde/sonde.hpp>

#include <cstdio>

int main() {
    std::size_t calls = 0;
    sonde::single_rank alone;
    auto const plan = sonde::plan<>{}.warmup(3).batch(2).until(sonde::samples{5});
    auto const found = sonde::run(alone, plan, sonde::with_traffic({.bytes = 8}, [&] { work(calls); }));

    std::printf("sonde %s: %zu samples, %zu calls\n", SONDE_VERSION, found.series.size(), calls);
    return found.series.size() == 5 && calls == 3 + 2 * 5 && samples_of_another_file() == 7 ? 0 : 1;
}
