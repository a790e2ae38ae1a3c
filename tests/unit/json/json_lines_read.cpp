// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../report/support.hpp"

namespace {

bool same(sonde::parameter const& a, sonde::parameter const& b) {
    return a.name == b.name && a.text == b.text && a.number == b.number;
}
bool same(sonde::point const& a, sonde::point const& b) {
    bool all = a.name == b.name && a.parameters.size() == b.parameters.size();
    for (std::size_t i = 0; all && i != a.parameters.size(); ++i) all = same(a.parameters[i], b.parameters[i]);
    return all;
}
bool same(sonde::traffic const& a, sonde::traffic const& b) {
    return a.bytes == b.bytes && a.messages == b.messages && a.hops == b.hops && a.bus_factor == b.bus_factor;
}
bool same(sonde::min_mean_max const& a, sonde::min_mean_max const& b) {
    return a.min == b.min && a.mean == b.mean && a.max == b.max;
}
bool same(sonde::clock_properties const& a, sonde::clock_properties const& b) {
    return a.cost == b.cost && a.resolution == b.resolution && a.bias == b.bias;
}

void check_same(sonde::record const& a, sonde::record const& b) {
    CHECK(same(a.point, b.point));
    CHECK(same(a.total, b.total));
    CHECK(a.ranks == b.ranks);
    CHECK(a.initiators == b.initiators);
    CHECK(a.batch == b.batch);
    CHECK(a.series == b.series);
    CHECK(a.sample_means == b.sample_means);
    CHECK(a.rank_means == b.rank_means);
    CHECK(a.rank_samples == b.rank_samples);
    CHECK(same(a.over_ranks, b.over_ranks));
    CHECK(a.first == b.first);
    CHECK(same(a.clock_properties, b.clock_properties));
    CHECK(a.stop.reason == b.stop.reason);
    CHECK(a.stop.samples == b.stop.samples);
    CHECK(to_string(a.flags) == to_string(b.flags));
    CHECK(a.slowest_counts == b.slowest_counts);
    CHECK(a.stragglers == b.stragglers);
    CHECK(sonde::json(a).dump() == sonde::json(b).dump()); // includes the overflow and the global clock
    CHECK(a.errors == b.errors);
}

struct written_file {
    reports::scratch_folder folder;
    std::string path = folder / "run.json";

    sonde::run_file read_back(std::string const& text) const {
        auto* const file = std::fopen(path.c_str(), "w");
        std::fwrite(text.data(), 1, text.size(), file);
        std::fclose(file);
        return sonde::read_json_lines(path);
    }
};

std::string const whole_line = sonde::detail::json_line(reports::example()) + '\n';

} // namespace

TEST_CASE_FIXTURE(written_file, "written records read back equal, to the last digit") {
#ifdef __FAST_MATH__ // has neither a sign of zero nor numbers without all their digits
    constexpr double minus_zero = 1, smallest = std::numeric_limits<double>::min();
#else
    constexpr double minus_zero = -0.0, smallest = 5e-324;
#endif
    auto full = reports::example();
    full.point.parameters = {{"large", std::numeric_limits<std::uint64_t>::max()},
                             {"negative", std::int64_t{-9007199254740993}},
                             {"fraction", 0.1 + 0.2},
                             {"whole", 2.0},
                             {"minus_zero", minus_zero},
                             {"text", "12"},
                             {"zero", "007"}};
    full.series = {sonde::seconds{0.1 + 0.2}, sonde::seconds{1.0 / 3}, sonde::seconds{smallest},
                   sonde::seconds{std::numeric_limits<double>::max()}};
    full.total.bus_factor = 1.75;
    full.sample_means = {sonde::seconds{0.1}, sonde::seconds{1.0 / 7}, sonde::seconds{3e-300}, sonde::seconds{2}};
    full.rank_means = {sonde::seconds{1.0 / 9}};
    full.rank_samples = std::vector{sonde::seconds{1.0 / 11}, sonde::seconds{1.0 / 13}};
    full.overflow.emplace_back();
    for (auto const t : {1e-9, 2.5e-6, 2.5e-6, 1000.0}) full.overflow.front().add(sonde::seconds{t});
    full.global = {
        {reports::ns(1), reports::ns(2)}, {reports::ns(3)}, {reports::ns(4)}, 5, reports::ns(6), reports::ns(7)};
    full.stragglers = {1, 3};
    full.straggler_lags = {{sonde::seconds{0.1}, 1.0 / 3}, {sonde::seconds{1.0 / 17}, 0.25}};
    full.errors = 3;
    full.flags = {.timer_limited = true, .correlated = true, .oversubscribed = true};
    sonde::device_traffic const known{"cxi0", "Slingshot", "up", "", 200.0, 1, 2, 3, 4, 5, 6, 7},
        unknown{"eth0", "interface"};
    full.carried = {{{"a", {known, unknown}, 10, 1, {"eth0: no counter of bytes"}}, {"b"}}, 1000, 1e9, 1e3};
    {
        sonde::json_lines out{path, sonde::local_environment()};
        out(reports::example());
        out(full);
    }
    auto const found = sonde::read_json_lines(path);
    REQUIRE(found.records.size() == 2);
    check_same(found.records[0], reports::example());
    check_same(found.records[1], full);
    CHECK(found.records[1].overflow.front().count() == 4);
    CHECK(found.records[1].global->late_samples == 5);
    auto const& carried = found.records[1].carried.value();
    REQUIRE(carried.hosts.size() == 2);
    CHECK(carried.hosts[0].devices[0].retransmissions == 7);
    CHECK(carried.hosts[0].devices[0].gigabits_per_second == 200);
    CHECK(!carried.hosts[0].devices[1].sent_bytes);
    CHECK(carried.hosts[0].unread == full.carried->hosts[0].unread);
    CHECK(carried.iterations == 1000);
    CHECK(carried.bytes == 1e9);
    CHECK(!found.records[0].carried);
}

TEST_CASE_FIXTURE(written_file, "what only rank 0 has is an empty list or no key elsewhere, and reads back as none") {
    auto of_other_rank = reports::example();
    of_other_rank.slowest_counts.reset();
    auto const line = sonde::detail::json_line(of_other_rank);
    CHECK(line.find("\"slowest_counts\":[],") != std::string::npos);
    CHECK(line.find("rank_samples") == std::string::npos);
    auto const found = read_back(line + '\n').records.at(0);
    CHECK(!found.slowest_counts.has_value());
    CHECK(!found.rank_samples.has_value());
}

TEST_CASE_FIXTURE(written_file, "the environment reads back equal") {
    sonde::environment e = sonde::local_environment();
    e.communication_library = "some MPI";
    e.command_line = "./a 'b \"c\"'";
    e.bindings = {"0-3", "4"};
    e.control_variables = {{"eager_limit", "4096"}, {"algorithm", "ring"}};
    sonde::json_lines{path, e};
    auto const found = sonde::read_json_lines(path);
    REQUIRE(found.environment.has_value());
    REQUIRE(found.environment->control_variables.size() == 2);
    CHECK(found.environment->control_variables[0].name == "eager_limit");
    CHECK(found.environment->control_variables[0].text == "4096");
    CHECK(found.environment->control_variables[1].text == "ring");
    CHECK(sonde::detail::json_line(*found.environment) == sonde::detail::json_line(e));
    CHECK(found.environment->command_line == e.command_line);
    CHECK(found.environment->bindings == e.bindings);
    CHECK(found.environment->hosts == e.hosts);
}

TEST_CASE_FIXTURE(written_file, "the environment of a run has the CPU time that was stolen until its last line") {
    auto const where = sonde::detail::json_line(sonde::local_environment()) + '\n';
    auto const stolen = [](char const* seconds) {
        auto line = whole_line;
        return line.insert(line.size() - 2, std::string{R"(,"stolen_seconds":)"} + seconds);
    };
    CHECK(!read_back(where + whole_line).environment->stolen);
    CHECK(read_back(where + stolen("0.0") + stolen("0.25")).environment->stolen == sonde::seconds{0.25});
    CHECK(!read_back(stolen("0.5")).environment);
    CHECK(!read_back(where + whole_line).environment->stolen_before);
}

TEST_CASE_FIXTURE(written_file, "every stop reason reads back as itself, and one of a later version as other") {
    using enum sonde::stop_reason;
    auto const read = [](char const* reason) {
        return sonde::json{{"reason", reason}, {"samples", 1}}.get<sonde::stop_info>().reason;
    };
    for (auto const why : {none, samples, time_budget, precision, noise_floor, other, unreachable})
        CHECK(read(sonde::to_string(why)) == why);
    CHECK(read("patience") == other);
}

TEST_CASE_FIXTURE(written_file, "a time that is null is refused, with the line, in a record that has times") {
    auto r = reports::example();
    r.over_ranks.max = sonde::seconds{std::numeric_limits<double>::infinity()};
    auto const line = sonde::detail::json_line(r) + '\n';
    CHECK(line.find("\"max\":null") != std::string::npos);
    CHECK_THROWS_WITH_AS((void)read_back(whole_line + line), (path + ":2: type must be number, but is null").c_str(),
                         std::runtime_error);
}

TEST_CASE_FIXTURE(written_file, "results of a version without a flag read back without the flag") {
    auto line = whole_line;
    auto const later = std::string{R"(,"correlated":false,"oversubscribed":false)"};
    REQUIRE(line.find(later) != std::string::npos);
    line.erase(line.find(later), later.size());
    CHECK(to_string(read_back(line).records.at(0).flags) == "-");
}

TEST_CASE_FIXTURE(written_file, "a truncated last line of a killed job is ignored") {
    CHECK(read_back(whole_line + whole_line.substr(0, 100)).records.size() == 1);
    CHECK(read_back(whole_line.substr(0, 100)).records.empty());
    CHECK(read_back("").records.empty());
}

TEST_CASE_FIXTURE(written_file, "an invalid line before the last throws with the file and the line") {
    CHECK_THROWS_AS(read_back(whole_line + "{\"type\"\n" + whole_line), std::runtime_error);
    try {
        read_back(whole_line + "{\"type\":\"dance\"}\n");
    } catch (std::runtime_error const& e) {
        CHECK(e.what() ==
              path + ":2: the type 'dance' is none of record, comparison, scopes, lateness, environment, launch");
    }
}

TEST_CASE_FIXTURE(written_file, "lines of a later version of the schema are refused, since they would be misread") {
    auto later = sonde::local_environment();
    later.schema_version = sonde::schema_version + 1;
    CHECK_THROWS_WITH_AS(
        read_back(sonde::detail::json_line(later) + '\n' + whole_line),
        (path + ":1: lines of version 2 of the schema; this Sonde reads those up to version 1").c_str(),
        std::runtime_error);
}

TEST_CASE_FIXTURE(written_file, "two runs in one file are refused, because their records have different environments") {
    auto const line = sonde::detail::json_line(sonde::local_environment()) + '\n';
    CHECK_THROWS_WITH_AS(read_back(line + whole_line + line),
                         (path + ":3: a second run begins; read_launches takes several").c_str(), std::runtime_error);
}

TEST_CASE_FIXTURE(written_file, "a file that cannot be read throws with its path and the reason") {
    CHECK_THROWS_WITH_AS(sonde::read_json_lines(folder / "none"),
                         ("cannot read '" + (folder / "none") + "': No such file or directory").c_str(),
                         std::system_error);
}
