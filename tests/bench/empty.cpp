// SPDX-License-Identifier: BSL-1.0

// The cost of the batch loop itself: an empty iteration that the compiler must not remove.

#include "limit.hpp"

#include <sonde/sonde.hpp>

int main() {
    sonde::single_rank alone;
    auto const plan = sonde::plan<>{}.batch(1'000'000).until(sonde::samples{101});
    auto const found = sonde::run(alone, plan, [] { asm volatile("" ::: "memory"); });
    return report("ns of an empty iteration", 1e9 * sonde::median(found).count(), 0.5);
}
