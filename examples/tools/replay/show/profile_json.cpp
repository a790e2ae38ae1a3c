// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile_json.hpp"

#include "tools/replay/show/profile.hpp"

#include <sonde/json.hpp>

namespace tools::replay {

std::string profile_json(trace const& t, profile const& p) {
    using sonde::json;
    json phases = json::array(), calls = json::array(), pairs = json::array(), sizes = json::array();
    for (auto const& row : p.phases)
        phases.push_back({{"passes", {row.fewest_passes, row.most_passes}},
                          {"calls", row.totals.calls},
                          {"bytes", row.totals.bytes},
                          {"mpi_seconds", row.totals.seconds},
                          {"between_seconds", row.think}});
    for (auto const& row : p.calls)
        calls.push_back({{"phase", row.phase},
                         {"call", row.call},
                         {"site", row.site},
                         {"calls", row.totals.calls},
                         {"bytes", row.totals.bytes},
                         {"pairs", row.partners.size()},
                         {"mpi_seconds", row.totals.seconds},
                         {"slowest_rank_seconds", row.slowest_rank}});
    for (auto const& [ranks, sum] : p.pairs)
        pairs.push_back(
            {{"from", ranks.first}, {"to", ranks.second}, {"messages", sum.messages}, {"bytes", sum.bytes}});
    for (auto const& [bits, n] : p.message_sizes)
        sizes.push_back({{"bytes", bits == 0 ? 0 : std::uint64_t{1} << (bits - 1)}, {"messages", n}});
    json const all{{"ranks", t.about.ranks},
                   {"recorded_ranks", p.ranks},
                   {"library", t.about.library},
                   {"command", t.about.command},
                   {"seconds", p.seconds},
                   {"mpi_seconds", p.in_calls},
                   {"between_seconds", p.between_calls},
                   {"dropped", p.dropped},
                   {"not_recorded", p.not_recorded},
                   {"remarks", t.remarks},
                   {"phases", phases},
                   {"calls", calls},
                   {"pairs", pairs},
                   {"message_sizes", sizes}};
    return sonde::detail::json_line(all) + '\n';
}

} // namespace tools::replay
