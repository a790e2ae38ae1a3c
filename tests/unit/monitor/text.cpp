// SPDX-License-Identifier: BSL-1.0
#include <sonde/monitor/text.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using sonde::monitor_detail;
using sonde::rank_counters;
using sonde::seconds;

/// Ranks 0 and 1 run, the second in a pass; rank 2 has ended without an end of its monitor.
std::vector<rank_counters> three_ranks() {
    return {{.rank = 0, .scopes = {{"halo", 10, seconds{2}, 80, seconds{90}, {}}, {"idle", 0, {}, 0, {}, {}}}},
            {.rank = 1, .scopes = {{"halo", 9, seconds{1}, 72, seconds{70}, seconds{95}}}},
            {.rank = 2, .running = false, .scopes = {{"halo", 5, seconds{0.5}, 40, seconds{20}, seconds{21}}}}};
}

std::string text_of(std::vector<rank_counters> const& ranks, monitor_detail level, std::size_t most = 2000) {
    sonde::waiting_watch waiting{seconds{10}, 0.01};
    for (int i = 0; i != 7; ++i) waiting.update(ranks); // two searches
    return sonde::detail::monitor_text(ranks, sonde::change_watch{seconds{10}, 0.01, 0.2}, waiting, seconds{100},
                                       {level, "7", most});
}

/// The lines of samples, each with a line feed.
std::string samples(std::string_view text) {
    std::string found;
    while (!text.empty()) {
        auto const line = text.substr(0, text.find('\n') + 1);
        if (line[0] != '#') found += line;
        text.remove_prefix(line.size());
    }
    return found;
}

} // namespace

TEST_CASE(
    "monitor: the ranks of a node are added up, and of times without a pass the longest of a running rank counts") {
    CHECK(samples(text_of(three_ranks(), monitor_detail::node)) ==
          R"(sonde_ranks{job_id="7",state="running"} 2
sonde_ranks{job_id="7",state="gone"} 1
sonde_scopes_left_out{job_id="7"} 0
sonde_scope_passes_total{job_id="7",scope="halo"} 24
sonde_scope_passes_total{job_id="7",scope="idle"} 0
sonde_scope_seconds_total{job_id="7",scope="halo"} 3.5
sonde_scope_seconds_total{job_id="7",scope="idle"} 0
sonde_scope_bytes_total{job_id="7",scope="halo"} 192
sonde_scope_idle_seconds{job_id="7",scope="halo"} 30
sonde_scope_under_way_seconds{job_id="7",scope="halo"} 5
sonde_scope_under_way_seconds{job_id="7",scope="idle"} 0
sonde_scope_change_ratio{job_id="7",scope="halo"} 1
sonde_scope_change_ratio{job_id="7",scope="idle"} 1
)");
}

TEST_CASE("monitor: the detail `rank` has each rank, within a bounded number of series; `off` has no scopes") {
    auto const each = text_of(three_ranks(), monitor_detail::rank);
    CHECK(each.find("sonde_scope_passes_total{job_id=\"7\",scope=\"halo\",rank=\"1\"} 9\n") != each.npos);
    CHECK(each.find("sonde_scope_idle_seconds{job_id=\"7\",scope=\"halo\",rank=\"1\"} 30\n") != each.npos);
    CHECK(each.find("sonde_scope_idle_seconds{job_id=\"7\",scope=\"halo\",rank=\"2\"}") == each.npos);
    CHECK(text_of(three_ranks(), monitor_detail::rank, 35) == each);
    CHECK(text_of(three_ranks(), monitor_detail::rank, 34) == text_of(three_ranks(), monitor_detail::node));
    CHECK(samples(text_of(three_ranks(), monitor_detail::off)) ==
          "sonde_ranks{job_id=\"7\",state=\"running\"} 2\nsonde_ranks{job_id=\"7\",state=\"gone\"} 1\n");
}

TEST_CASE("monitor: waiting is shown of an exchange, by rank what a rank caused, and the rank that was late") {
    std::vector<rank_counters> ranks(2);
    for (int r = 0; r != 2; ++r) {
        auto& page = ranks[static_cast<std::size_t>(r)];
        page = {.rank = r, .left_out = 3, .scopes = {{.name = "halo", .kind = sonde::scope_kind::exchange}}};
        for (std::uint64_t n = 0; n != 101; ++n)
            page.passes.push_back({0, n, seconds{10.0 * static_cast<double>(n) + 2.0 * r}, seconds{4 - 2. * r}});
    }
    auto const node = samples(text_of(ranks, monitor_detail::node)), each = text_of(ranks, monitor_detail::rank);
    auto const in = [](std::string const& text, char const* line) { return text.find(line) != text.npos; };
    CHECK(in(node, "sonde_scope_waiting_seconds_total{job_id=\"7\",scope=\"halo\"} 200\n"));
    CHECK(in(node, "sonde_scope_examined_seconds_total{job_id=\"7\",scope=\"halo\"} 600\n"));
    CHECK(in(node, "sonde_late_rank_seconds{job_id=\"7\",rank=\"1\",scope=\"halo\"} 2\n"));
    CHECK(in(node, "sonde_scopes_left_out{job_id=\"7\"} 3\n"));
    CHECK(!in(node, "sonde_caused_waiting_seconds"));
    CHECK(in(each, "sonde_caused_waiting_seconds_total{job_id=\"7\",rank=\"1\"} 200\n"));
    CHECK(in(each, "sonde_scope_waiting_seconds_total{job_id=\"7\",scope=\"halo\",rank=\"0\"} 200\n"));
}

TEST_CASE("monitor: a file has the type, the unit and the help of each metric, and an end") {
    auto const text = text_of({}, monitor_detail::node);
    CHECK(
        text.find("# TYPE sonde_scope_seconds counter\n# UNIT sonde_scope_seconds seconds\n# HELP sonde_scope_seconds "
                  "Time of the passes that have ended.\n") != text.npos);
    CHECK(text.ends_with("# EOF\n"));
    auto const odd = text_of({{.scopes = {{"a \"b\"\\\n", 1, seconds{1}, 0, {}, {}}}}}, monitor_detail::node);
    CHECK(odd.find(R"(scope="a \"b\"\\ "})") != odd.npos);
}

TEST_CASE("monitor: a detail has a name") {
    using sonde::detail::detail_named;
    CHECK(detail_named("off") == monitor_detail::off);
    CHECK(detail_named(" node\n") == monitor_detail::node);
    CHECK(detail_named("rank") == monitor_detail::rank);
    CHECK(!detail_named("ranks"));
    CHECK(!detail_named(""));
}
