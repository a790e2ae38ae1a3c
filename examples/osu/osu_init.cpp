// SPDX-License-Identifier: BSL-1.0
// How long MPI takes to start.
#include "startup.hpp"

#include <array>
#include <cstdio>

namespace {

/// Whole milliseconds, rounded down.
long long milliseconds(double seconds) { return static_cast<long long>(1e3 * seconds); }

std::string spread_of(sonde::mpi::group const& ranks, sonde::seconds took) {
    std::array<double, 2> extremes{took.count(), -took.count()};
    std::array<double, 1> sum{took.count()};
    ranks.all_reduce(extremes, sonde::reduction::max);
    ranks.all_reduce(sum, sonde::reduction::sum);
    char text[200];
    std::snprintf(text, sizeof text, "nprocs: %d, min: %lld ms, max: %lld ms, avg: %lld ms", ranks.size(),
                  milliseconds(-extremes[1]), milliseconds(extremes[0]), milliseconds(sum[0] / ranks.size()));
    return text;
}

} // namespace

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_init", .title = "OSU MPI Init Test", .letters = "I"};
    return osu::start_and_say(argc, argv, about, spread_of);
}
