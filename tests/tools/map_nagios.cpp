// SPDX-License-Identifier: BSL-1.0
// The line of sonde-map --nagios, and its status.
#include "tools/map/map_nagios.hpp"
#include "tools/map/map_findings.hpp"
#include "tools/map/sonde_map.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tools::map;

namespace {

/// A latency and a bandwidth of all pairs of four nodes: 2 us and 1000 MB/s, and 8 us and 250 MB/s from c0 to c1.
map_result four_nodes() {
    map_result result;
    result.places = {"c0", "c1", "c|2", "c3"};
    result.node_of_place = {0, 1, 2, 3};
    result.maps = {{{map_metric::latency, 8}, 1, sonde::pair_map{4}},
                   {{map_metric::bandwidth, 4000}, 1, sonde::pair_map{4}}};
    for (auto& m : result.maps)
        for (std::size_t i = 0; i != 16; ++i)
            if (i % 5 != 0) m.times.median.times[i] = sonde::seconds{4e-6 * (i == 1 ? 4 : 1)};
    return result;
}

std::vector<map_findings> nothing() { return {{{0, 0, 0, 0}, {}, {}}, {{0, 0, 0, 0}, {}, {}}}; }

} // namespace

TEST_CASE("nothing is named: OK, with the worst pair of each map") {
    auto const report = nagios_report_of(four_nodes(), {}, nothing());
    CHECK(report.status == nagios_status::ok);
    CHECK(report.line == "OK - 4 nodes, nothing is slower than most | 'latency_8'=8.000us "
                         "'bandwidth_MBps_4000'=250.000\n");
}

TEST_CASE("right bits are told beside what is slow, wrong ones alone") {
    auto checked = four_nodes();
    checked.bits = map_bits{{1'200}, "", {}};
    CHECK(nagios_report_of(checked, {}, nothing())
              .line.starts_with("OK - 4 nodes, nothing is slower than most; no wrong bit in 1200 messages | "));
    checked.bits = map_bits{{1'200, 7}, "Wrong bits in 7 of 1200 messages", {}};
    auto const wrong = nagios_report_of(checked, {}, nothing());
    CHECK(wrong.status == nagios_status::critical);
    CHECK(wrong.line.starts_with("CRITICAL - 4 nodes, Wrong bits in 7 of 1200 messages | "));
}

TEST_CASE("a suspect is a warning, a pair that is worse than expected is critical; the thresholds are in the data") {
    map_options options;
    options.max_latency = 2.5;
    options.min_bandwidth = 400;
    auto found = nothing();
    found[1].suspects = {{sonde::suspect_kind::rank, sonde::suspect_direction::both, 2, -1, 3.5}};
    auto const data = " | 'latency_8'=8.000us;;2.5 'bandwidth_MBps_4000'=250.000;;400:\n";
    auto const warned = nagios_report_of(four_nodes(), options, found);
    CHECK(warned.status == nagios_status::warning);
    CHECK(warned.line == std::string{"WARNING - 4 nodes, c 2: messages from it and to it take 3.50 times the usual "
                                     "time, by bandwidth of 4000 bytes"} +
                             data);
    found[0].unexpected = found[1].unexpected = {{0, 1}};
    auto const failed = nagios_report_of(four_nodes(), options, found);
    CHECK(failed.status == nagios_status::critical);
    CHECK(failed.line ==
          std::string{"CRITICAL - 4 nodes, c0 -> c1: latency of 8 bytes is 8.00 us, expected 2.5; and 2 more"} + data);
}

TEST_CASE("what is slowest of all maps is named first") {
    auto found = nothing();
    found[0].suspects = {{sonde::suspect_kind::pair, sonde::suspect_direction::both, 0, 1, 1.57}};
    found[1].suspects = {{sonde::suspect_kind::rank, sonde::suspect_direction::both, 3, -1, 9.9}};
    CHECK(nagios_report_of(four_nodes(), {}, found)
              .line.starts_with("WARNING - 4 nodes, c3: messages from it and to it take 9.90 times the usual time, by "
                                "bandwidth of 4000 bytes; and 1 more |"));
}

TEST_CASE("two slow places of five are seen, though most pairs are slow") {
    map_result five;
    five.places = {"a", "b", "c", "d", "e"};
    five.node_of_place = {0, 1, 2, 3, 4};
    five.maps = {{{map_metric::bandwidth, 65536}, 1, sonde::pair_map{5}}};
    auto const fill = [&](double slow) {
        for (int from = 0; from != 5; ++from)
            for (int to = 0; to != 5; ++to)
                if (from != to)
                    five.maps[0].times.median.times[static_cast<std::size_t>(5 * from + to)] =
                        sonde::seconds{from > 2 || to > 2 ? slow : 1e-4};
        return evaluate(five, {});
    };
    auto const two = fill(1e-3);
    CHECK(nothing_found(two));
    std::string const seen =
        "even the best pairs of d, e take 10.00 times as long as those of most places, by bandwidth "
        "of 65536 bytes";
    CHECK(report_text(five, {}, two).starts_with("Nothing is slower than most.\nBut " + seen + ".\n"));
    CHECK(nagios_report_of(five, {}, two).line.starts_with("OK - 5 nodes, nothing is named, but " + seen + " |"));
    CHECK(report_text(five, {}, fill(1.5e-4)).starts_with("Nothing is slower than most.\n\n"));
}

TEST_CASE("an error is one line without data") {
    CHECK(nagios_line(nagios_status::unknown, "no\nranks") == "UNKNOWN - no ranks\n");
}
