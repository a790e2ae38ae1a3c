// SPDX-License-Identifier: BSL-1.0
// Time that MPI takes to start, over the ranks.
#include "osu/startup/startup.hpp"

#include <array>
#include <cstdio>

namespace {

/// Whole milliseconds, rounded down.
long long milliseconds(double seconds) { return static_cast<long long>(1e3 * seconds); }

/// Collective over the group.
std::string min_max_mean(sonde::mpi::group const& ranks, sonde::seconds start_time) {
    auto const time = start_time.count();
    std::array<double, 2> extremes{time, -time};
    std::array<double, 1> sum{time};
    ranks.all_reduce(extremes, sonde::reduction::max);
    ranks.all_reduce(sum, sonde::reduction::sum);
    char text[200];
    std::snprintf(text, sizeof text, "nprocs: %d, min: %lld ms, max: %lld ms, avg: %lld ms", ranks.size(),
                  milliseconds(-extremes[1]), milliseconds(extremes[0]), milliseconds(sum[0] / ranks.size()));
    return text;
}

} // namespace

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_init", .title = "OSU MPI Init Test", .accepted = osu::option_name::session};
    return osu::launch_startup(argc, argv, about, min_max_mean);
}
