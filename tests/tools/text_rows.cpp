// SPDX-License-Identifier: BSL-1.0
// The text and the JSON of one run have the same rows, and in these the same times.
#include "tools/compare/comparison.hpp"
#include "tools/compare/matched_rows.hpp"
#include "tools/records/log.hpp"
#include "tools/records/series.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr double us = 1e-6;

/// A program, the record of a size, and the header and the line of its text.
struct program {
    char const* name;
    std::string header;
    std::vector<sonde::parameter> parameters;
    sonde::traffic total; // but for the bytes
    int ranks, initiators;
    std::function<std::string(double bytes, double seconds, sonde::traffic const&)> line;
};

std::string osu_header(std::string const& title, std::string const& columns, std::string const& more = "") {
    return "# OSU MPI " + title + " Test v7.4\n" + more + "# Datatype: MPI_CHAR.\n# Size      " + columns + '\n';
}

std::string imb_header(std::string const& name, std::string const& columns) {
    return "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking " + name + "\n# #processes = 4\n" +
           columns + '\n';
}

template <class... Numbers>
std::string printed(char const* format, Numbers... numbers) {
    char text[100];
    std::snprintf(text, sizeof text, format, numbers...);
    return text;
}

std::string bandwidth_line(double bytes, double seconds, sonde::traffic const& t) {
    return printed("%-10.0f%18.6f\n", bytes, static_cast<double>(t.bytes) / seconds * 1e-6);
}
std::string rate_line(double bytes, double seconds, sonde::traffic const& t) {
    return printed("%-10.0f%18.2f%18.2f\n", bytes, static_cast<double>(t.bytes) / seconds * 1e-6,
                   static_cast<double>(t.messages) / seconds);
}
std::string imb_rate_line(double bytes, double seconds, sonde::traffic const& t) {
    return printed("%13.0f%13d%13.2f%13.0f\n", bytes, 20, static_cast<double>(t.bytes) / seconds * 1e-6,
                   static_cast<double>(t.messages) / seconds);
}
std::string hop_line(double bytes, double seconds, sonde::traffic const& t) {
    return printed("%-10.0f%18.6f\n", bytes, seconds / t.hops / us);
}

std::vector<program> programs() {
    std::vector<sonde::parameter> const windows{{"datatype", "MPI_CHAR"}, {"window", 64}, {"buffers", "single"}};
    std::vector<sonde::parameter> const trips{{"datatype", "MPI_CHAR"}, {"buffers", "single"}};
    std::vector<sonde::parameter> const imb{{"processes", 4}, {"group", 0},  {"mode", "only"},   {"part", "pure"},
                                            {"window", 256},  {"groups", 1}, {"window_parts", 1}};
    std::string const pairs = "# [ pairs: 2 ] [ window size: 64 ]\n";
    std::string const rates = "#bytes #repetitions Mbytes/sec Msg/sec";
    return {
        {"osu_bw", osu_header("Bandwidth", "Bandwidth (MB/s)"), windows, {0, 64, 1}, 2, 1, bandwidth_line},
        {"osu_bibw",
         osu_header("Bi-Directional Bandwidth", "Bandwidth (MB/s)"),
         windows,
         {0, 128, 1},
         2,
         1,
         bandwidth_line},
        {"osu_mbw_mr",
         osu_header("Multiple Bandwidth / Message Rate", "MB/s        Messages/s", pairs),
         windows,
         {0, 128, 1},
         4,
         2,
         rate_line},
        {"osu_latency", osu_header("Latency", "Avg Latency(us)"), trips, {0, 2, 2}, 2, 1, hop_line},
        {"osu_multi_lat", osu_header("Multi Latency", "Avg Latency(us)"), trips, {0, 4, 2}, 4, 2, hop_line},
        {"Uniband", imb_header("Uniband", rates), imb, {0, 512, 1}, 4, 4, imb_rate_line},
        {"Biband", imb_header("Biband", rates), imb, {0, 1024, 1}, 4, 4, imb_rate_line},
    };
}

constexpr std::size_t row_sizes[] = {1, 2, 64, 4096};

/// Records whose rank 0 is twice as fast as the slowest rank: OSU's mean is over ranks, and that of IMB of the slowest.
std::vector<sonde::record> records_of(program const& p) {
    std::vector<sonde::record> all;
    for (auto const size : row_sizes) {
        sonde::record r;
        r.point = {p.name, {{"bytes", size}}};
        r.point.parameters.insert(r.point.parameters.end(), p.parameters.begin(), p.parameters.end());
        r.total = p.total;
        r.total.bytes = size * p.total.messages;
        r.ranks = p.ranks;
        r.initiators = p.initiators;
        auto const slowest = static_cast<double>(100 + size) * us;
        r.over_ranks = {sonde::seconds{slowest / 2}, sonde::seconds{0.75 * slowest}, sonde::seconds{slowest}};
        r.series = {sonde::seconds{0.9 * slowest}, sonde::seconds{0.9 * slowest}, sonde::seconds{1.2 * slowest}};
        all.push_back(r);
    }
    return all;
}

sonde::seconds printed_time(sonde::record const& r) {
    return r.point.name.starts_with("osu_") ? r.over_ranks.mean : r.over_ranks.max;
}

std::string text_of(program const& p) {
    auto text = p.header;
    for (auto const& r : records_of(p)) text += p.line(*r.point.parameters[0].number, printed_time(r).count(), r.total);
    return text;
}

std::vector<tools::row> matched(std::string const& text, std::vector<sonde::run_file> runs) {
    auto const log = tools::read_log(text, "a.txt");
    tools::launch_set of_text{"a.txt", tools::launches_of(log), {}, true}, records{"a.json", std::move(runs)};
    tools::text_as_records(log, of_text, records);
    return tools::match(of_text.runs, records.runs);
}

std::size_t common(std::vector<tools::row> const& matches) {
    std::size_t n = 0;
    for (auto const& r : matches) n += !r.before.medians.empty() && !r.after.medians.empty();
    return n;
}

} // namespace

TEST_CASE("the text and the records of one run are compared row by row, with the times of an iteration") {
    for (auto const& p : programs()) {
        CAPTURE(p.name);
        auto const rows = matched(text_of(p), {{{}, {}, records_of(p)}});
        REQUIRE(rows.size() == std::size(row_sizes));
        for (std::size_t i = 0; i != rows.size(); ++i) {
            CHECK(rows[i].at.parameters.at(0).text == std::to_string(row_sizes[i]));
            REQUIRE(rows[i].before.medians.size() == 1);
            REQUIRE(rows[i].after.medians.size() == 1);
            auto const a = rows[i].before.medians[0], b = rows[i].after.medians[0];
            CHECK(b == printed_time(records_of(p)[i]));
            CHECK(a.count() == doctest::Approx(b.count()).epsilon(2e-5));
            CHECK(rows[i].before.resolution.count() > 0);
            CHECK(sonde::seconds{std::abs((a - b).count())} <= rows[i].before.resolution);
        }
    }
}

TEST_CASE("a row of text takes no record of another size, window, datatype, memory or number of pairs") {
    for (auto const& p : programs()) {
        CAPTURE(p.name);
        auto const changed = [&](auto change) {
            auto records = records_of(p);
            for (auto& r : records) change(r);
            return common(matched(text_of(p), {{{}, {}, records}}));
        };
        CHECK(changed([](auto&) {}) == std::size(row_sizes));
        CHECK(changed([](auto& r) { r.point.name += "_mt"; }) == 0);
        CHECK(changed([](auto& r) { r.point.parameters.emplace_back("from", "device"); }) == 0);
        auto const value = [](sonde::record& r, std::string const& name, std::string const& text) {
            for (auto& q : r.point.parameters)
                if (q.name == name) q.text = text;
        };
        if (p.header.find("Datatype") != p.header.npos)
            CHECK(changed([&](auto& r) { value(r, "datatype", "MPI_INT"); }) == 0);
        if (p.header.find("window size") != p.header.npos || p.header.find("Intel") != p.header.npos)
            CHECK(changed([&](auto& r) { value(r, "window", "32"); }) == 0);
        if (p.header.find("pairs: 2") != p.header.npos) CHECK(changed([](auto& r) { r.initiators = 1; }) == 0);
    }
}

TEST_CASE("a row of text that may be of several rows of records stays its own") {
    auto const p = programs().front();
    auto single = records_of(p), multiple = single;
    for (auto& r : multiple) r.point.parameters.back() = {"buffers", "multiple"};
    auto both = single;
    both.insert(both.end(), multiple.begin(), multiple.end());
    CHECK(common(matched(text_of(p), {{{}, {}, both}})) == 0);
    CHECK(common(matched(text_of(p), {{{}, {}, single}, {{}, {}, single}})) == std::size(row_sizes));
}
