// SPDX-License-Identifier: BSL-1.0
#include "beside_work.hpp"

#include <algorithm>

namespace imb {

namespace {

/// Every rank's, by rank. Collective.
std::vector<sonde::seconds> of_all_ranks(sonde::mpi::group const& group, sonde::seconds mine) {
    std::vector<double> values(static_cast<std::size_t>(group.size()));
    values[static_cast<std::size_t>(group.rank())] = mine.count();
    group.all_reduce(values, sonde::reduction::sum);
    return {values.begin(), values.end()};
}

sonde::min_mean_max spread_of(std::vector<sonde::seconds> const& times) {
    auto const [least, most] = std::minmax_element(times.begin(), times.end());
    sonde::seconds sum{};
    for (auto const t : times) sum += t;
    return {*least, sum / static_cast<double>(times.size()), *most};
}

} // namespace

sonde::record work_record(setting& s, sonde::record const& both, sonde::seconds mine) {
    sonde::record found;
    found.point = s.point("work");
    found.ranks = found.initiators = both.ranks;
    found.batch = both.batch * both.stop.samples;
    found.rank_means = of_all_ranks(s.group, mine);
    found.over_ranks = spread_of(found.rank_means);
    found.series = {found.over_ranks.max};
    found.clock_properties = both.clock_properties;
    found.stop = {both.stop.reason, 1};
    found.slowest_counts.resize(found.rank_means.size());
    return found;
}

} // namespace imb
