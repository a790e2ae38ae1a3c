// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>

#include "../report/support.hpp"

namespace {

/// 40 rounds that all have the same times.
sonde::comparison twice_as_fast() {
    sonde::comparison found{{reports::steady("blocking", 1024, 40), reports::steady("persistent", 512, 40)}};
    for (auto& r : found.records) {
        r.clock_properties.resolution = {};
        r.point.parameters = {{"bytes", 8}};
    }
    return found;
}

} // namespace

TEST_CASE("JSON lines: a comparison is one object: criterion, speed-ups, intervals, outcomes, and whole records") {
    reports::memory_file out;
    sonde::json_lines lines{out.get()};
    auto const found = twice_as_fast();
    lines(found, {.gain = 0.25, .confidence = 0.99});
    CHECK(out.text() == R"({"type":"comparison","criterion":{"gain":0.25,"confidence":0.99},"alternatives":[)"
                        R"({"speedup":1.0,"interval":null,"outcome":"base","record":)" +
                            sonde::detail::json_line(found.records[0]) +
                            R"(},{"speedup":2.0,"interval":{"low":2.0,"high":2.0},"outcome":"faster","record":)" +
                            sonde::detail::json_line(found.records[1]) + "}]}\n");
}

TEST_CASE("JSON lines: the scope in the application, and what an alternative wins there, read back") {
    auto found = twice_as_fast();
    found.application = {"halo", sonde::seconds{1}, sonde::seconds{2}, sonde::seconds{8}};
    auto const j = sonde::json(sonde::reported_comparison{found, {}});
    CHECK(j.at("application").dump() ==
          R"({"scope":"halo","transfer_seconds":1.0,"waiting_seconds":2.0,"loop_seconds":8.0})");
    CHECK(!j.at("alternatives").at(0).contains("application_gain"));
    CHECK(j.at("alternatives").at(1).at("application_gain").dump() == R"({"value":0.0625,"low":0.0625,"high":0.0625})");
    auto const read = j.get<sonde::reported_comparison>().comparison;
    REQUIRE(read.application);
    CHECK(read.application->name == "halo");
    CHECK(gain_in_application(read, 1)->value == 0.0625);
    CHECK(!sonde::json(sonde::reported_comparison{twice_as_fast(), {}}).contains("application"));
}

TEST_CASE("JSON lines: without an interval a speed-up has null, and its outcome is undecided") {
    auto found = twice_as_fast();
    for (auto& r : found.records) r.series.resize(3);
    auto const j = sonde::json(sonde::reported_comparison{found, {}});
    CHECK(j.at("alternatives").at(1).at("interval").is_null());
    CHECK(j.at("alternatives").at(1).at("outcome") == "undecided");
    CHECK(j.at("alternatives").at(1).at("speedup") == 2.0);
}

TEST_CASE("JSON lines: without times a speed-up is null") {
    auto const idle = reports::record_without_initiators();
    auto const j = sonde::json(sonde::reported_comparison{{{idle, idle}}, {}});
    for (auto const& one : j.at("alternatives")) CHECK(one.at("speedup").is_null());
}

TEST_CASE("JSON lines: the interval of a speed-up has its two ends") {
    auto base = reports::steady("a", 8000, 40);
    base.clock_properties.resolution = {};
    auto const j = sonde::json(sonde::reported_comparison{{{base, reports::faster_by_2_to_4()}}, {}});
    CHECK(j.at("alternatives").at(1).at("interval").dump() == R"({"low":2.0,"high":4.0})");
}

TEST_CASE("a comparison reads back with its criterion, beside the records of its run") {
    reports::scratch_folder folder;
    auto const path = folder / "run.jsonl";
    {
        sonde::json_lines out{path, sonde::local_environment()};
        out(reports::example());
        out(twice_as_fast(), {.gain = 0.1, .confidence = 0.9});
        out(twice_as_fast());
    }
    auto const read = sonde::read_json_lines(path);
    CHECK(read.records.size() == 1);
    REQUIRE(read.comparisons.size() == 2);
    auto const& [found, required] = read.comparisons[0];
    CHECK(required.gain == 0.1);
    CHECK(required.confidence == 0.9);
    CHECK(read.comparisons[1].criterion.gain == 0);
    REQUIRE(found.records.size() == 2);
    CHECK(sonde::detail::json_line(found.records[1]) == sonde::detail::json_line(twice_as_fast().records[1]));
    CHECK(sonde::speedup(found, 1) == 2.0);
    CHECK(sonde::classify(found, 1, required) == sonde::outcome::faster);
}

TEST_CASE("an environment after a comparison begins a new run, and a comparison without records is refused") {
    reports::scratch_folder folder;
    auto const path = folder / "run.jsonl";
    {
        sonde::json_lines out{path};
        out(twice_as_fast());
    }
    std::ofstream{path, std::ios::app} << sonde::detail::json_line(sonde::local_environment()) << '\n';
    CHECK(sonde::read_launches(path).size() == 2);
    std::ofstream{path, std::ios::app} << R"({"type":"comparison"})" << '\n';
    CHECK_THROWS_AS((void)sonde::read_launches(path), std::runtime_error);
}
