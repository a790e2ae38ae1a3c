// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_work.hpp"

#include <algorithm>
#include <vector>

namespace imb {

double matrix_vector_rate() {
    static double const rate = rate_of(matrix_vector{}, sonde::mpi::wtime{});
    return rate;
}

double mflops() { return matrix_vector_rate() * matrix_vector::flop * 1e-6; }

namespace {

/// Times of all ranks, by rank. Collective over the group.
std::vector<sonde::seconds> gather_times(sonde::mpi::group const& group, sonde::seconds mine) {
    std::vector<double> values(static_cast<std::size_t>(group.size()));
    values[static_cast<std::size_t>(group.rank())] = mine.count();
    group.all_reduce(values, sonde::reduction::sum);
    return {values.begin(), values.end()};
}

sonde::min_mean_max min_mean_max_of(std::vector<sonde::seconds> const& times) {
    auto const [least, most] = std::minmax_element(times.begin(), times.end());
    sonde::seconds sum{};
    for (auto const t : times) sum += t;
    return {*least, sum / static_cast<double>(times.size()), *most};
}

} // namespace

sonde::record work_record(setting& s, sonde::record const& both, sonde::seconds mine) {
    sonde::record work;
    work.point = s.point("work");
    work.ranks = work.initiators = both.ranks;
    work.batch = both.batch * both.stop.samples;
    work.rank_means = gather_times(s.group, mine);
    work.over_ranks = min_mean_max_of(work.rank_means);
    work.series = {work.over_ranks.max};
    work.clock_properties = both.clock_properties;
    work.stop = {both.stop.reason, 1};
    if (s.group.rank() == 0) work.slowest_counts.emplace(work.rank_means.size());
    return work;
}

} // namespace imb
