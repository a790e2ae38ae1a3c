// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../report/support.hpp"

namespace {

sonde::environment somewhere() {
    sonde::environment e;
    e.sonde_version = "1.2.3";
    e.compiler = "g++ 12";
    e.build = "optimized, assertions on";
    e.command_line = "./a 'b c'";
    e.communication_library = "Open MPI v4.1.4";
    e.hosts = {"one", "two"};
    e.ranks_per_host = {2, 1};
    e.host_of_rank = {0, 1, 0};
    e.bindings = {"0-3", "4", "0-3,8"};
    return e;
}

std::string const environment_text =
    R"({"type":"environment","schema_version":1,"sonde_version":"1.2.3","compiler":"g++ 12","build":"optimized, assertions on",)"
    R"("command_line":"./a 'b c'","communication_library":"Open MPI v4.1.4","hosts":["one","two"],)"
    R"("ranks_per_host":[2,1],"host_of_rank":[0,1,0],"bindings":["0-3","4","0-3,8"]})"
    "\n";

std::string const record_text =
    R"({"type":"record","name":"ping_pong","parameters":{"bytes":4096,"link":"ssend"},)"
    R"("total":{"bytes":4096.0,"messages":1.0,"hops":2.0,"bus_factor":1.0},"ranks":4,"initiators":2,"batch":10,)"
    R"("over_ranks_seconds":{"min":4.1e-06,"mean":4.3e-06,"max":4.5e-06},"first_seconds":9e-05,)"
    R"("clock_seconds":{"cost":2.3e-08,"resolution":1e-08,"bias":2e-08},)"
    R"("stop":{"reason":"time_budget","samples":8},"flags":{"timer_limited":false,"skew_dominated":false,)"
    R"("clock_drift":false,"correlated":false,"oversubscribed":false,"clock_fault":false,"suspect_transport":false},"errors":null,"slowest_counts":[5,0,3,0],)"
    R"("series_seconds":[1e-06,8e-06,3e-06,6e-06,5e-06,4e-06,7e-06,2e-06]})"
    "\n";

} // namespace

TEST_CASE("JSON lines: the environment first, then each record completely, in order") {
    reports::memory_file out;
    sonde::json_lines lines{out.get(), somewhere()};
    CHECK(out.text() == environment_text);
    lines(reports::example());
    lines(reports::example());
    CHECK(out.text() == environment_text + record_text + record_text);
}

TEST_CASE("JSON lines: the devices of ranks, if they use any") {
    reports::memory_file out;
    auto where = somewhere();
    where.devices = {"a", "a", "b"};
    sonde::json_lines const lines{out.get(), where};
    CHECK(out.text().ends_with(R"("bindings":["0-3","4","0-3,8"],"devices":["a","a","b"]})"
                               "\n"));
    CHECK(sonde::json::parse(out.text()).get<sonde::environment>().devices == where.devices);
}

TEST_CASE("JSON lines: date, system and job, as far as they are known") {
    auto where = somewhere();
    where.date = "2026-01-31T08:05:00Z";
    where.system.processor = "a processor";
    where.system.cores = 4;
    where.system.boost = false;
    where.system.memory_bytes = 9007199254740993;
    where.system.fabric = {{"mlx5_0/1", "InfiniBand", 200.0}, {"eth0", "interface", {}}};
    where.system.gpu_driver = "NVIDIA 535.129.03";
    where.transport = {{"pml", "ucx"}, {"UCX_TLS", "rc,sm"}};
    where.unlike_hosts = {"two"};
    where.job.id = "7";
    auto const line = sonde::detail::json_line(where);
    CHECK(reports::has(line, R"("schema_version":1,"date":"2026-01-31T08:05:00Z","sonde_version")"));
    CHECK(line.ends_with(
        R"("bindings":["0-3","4","0-3,8"],"transport":{"pml":"ucx","UCX_TLS":"rc,sm"},)"
        R"("system":{"processor":"a processor","cores":4,"boost":false,)"
        R"("memory_bytes":9007199254740993,"fabric":[{"name":"mlx5_0/1","kind":"InfiniBand",)"
        R"("gigabits_per_second":200.0},{"name":"eth0","kind":"interface"}],"gpu_driver":"NVIDIA 535.129.03"},)"
        R"("unlike_hosts":["two"],"job":{"id":"7"}})"));
    CHECK(sonde::detail::json_line(sonde::json::parse(line).get<sonde::environment>()) == line);
}

TEST_CASE("JSON lines: an environment of a version without a schema is read, and gets no further keys") {
    auto old = environment_text;
    old.erase(old.find(R"("schema_version":1,)"), std::string{R"("schema_version":1,)"}.size());
    auto const read = sonde::json::parse(old).get<sonde::environment>();
    CHECK(!read.schema_version);
    CHECK(sonde::detail::json_line(read) + '\n' == old);
}

TEST_CASE("JSON lines: each line says how much CPU time was stolen since the environment was made, if that is known") {
    reports::memory_file out;
    auto where = somewhere();
    where.stolen_before = sonde::stolen_time();
    if (!where.stolen_before) return; // not a Linux system
    *where.stolen_before -= sonde::seconds{16};
    sonde::json_lines lines{out.get(), where};
    CHECK(out.text() == environment_text);
    lines(reports::example());
    lines(sonde::comparison{{reports::example()}});
    lines(std::vector<sonde::scope_record>{});
    std::istringstream text{out.text()};
    std::string line;
    std::getline(text, line);
    for (auto n = 0; n != 3; ++n) {
        REQUIRE(std::getline(text, line));
        CHECK(sonde::json::parse(line).at("stolen_seconds").get<double>() >= 16);
    }
}

TEST_CASE("JSON lines without an environment begin with the first record") {
    reports::memory_file out;
    sonde::json_lines lines{out.get()};
    CHECK(out.text().empty());
    lines(reports::example());
    CHECK(out.text() == record_text);
}

TEST_CASE("kept contents follow the series under keys of their own, and others have none") {
    auto r = reports::example();
    r.sample_means = {sonde::seconds{1e-6}, sonde::seconds{2e-6}};
    CHECK(sonde::detail::json_line(r) ==
          record_text.substr(0, record_text.size() - 2) + R"(,"sample_means_seconds":[1e-06,2e-06]})");
    r.sample_means.clear();
    r.rank_means = {sonde::seconds{3e-6}};
    CHECK(sonde::detail::json_line(r) ==
          record_text.substr(0, record_text.size() - 2) + R"(,"rank_means_seconds":[3e-06]})");
    r.rank_samples = std::vector{sonde::seconds{2e-6}, sonde::seconds{4e-6}};
    CHECK(sonde::detail::json_line(r).find(R"("rank_samples_seconds":[2e-06,4e-06]})") != std::string::npos);
}

TEST_CASE("a time that is not finite is null: the line stays valid JSON") {
    auto r = reports::example();
    r.series = {sonde::seconds{std::numeric_limits<double>::quiet_NaN()},
                sonde::seconds{std::numeric_limits<double>::infinity()}};
    r.point.parameters.emplace_back("limit", std::numeric_limits<double>::infinity());
    auto const line = sonde::detail::json_line(r);
    CHECK(line.find("\"series_seconds\":[null,null]") != std::string::npos);
    CHECK(line.find("\"limit\":\"inf\"") != std::string::npos);
    CHECK(sonde::json::accept(line));
}

TEST_CASE("texts may hold quotes, ends of line and invalid UTF-8") {
    auto r = reports::example();
    r.point.name = "a \"b\"\n\xff";
    auto const line = sonde::detail::json_line(r);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(sonde::json::parse(line).at("name") == "a \"b\"\n\xef\xbf\xbd");
}

TEST_CASE("an integer parameter keeps all its digits, more than a double has") {
    auto r = reports::example();
    r.point.parameters = {{"large", 9007199254740993}, {"negative", -7}, {"fraction", 0.1}, {"text", "12"}};
    CHECK(sonde::json(r).at("parameters").dump() ==
          R"({"large":9007199254740993,"negative":-7,"fraction":0.1,"text":"12"})");
}

TEST_CASE("a record without initiators has null for its times, and is read back as one without times") {
    auto const r = reports::record_without_initiators();
    auto const line = sonde::detail::json_line(r);
    for (auto const* const part :
         {R"("over_ranks_seconds":{"min":null,"mean":null,"max":null})", R"("first_seconds":null)",
          R"("series_seconds":[null,null])", R"("sample_means_seconds":[null,null])"}) {
        CAPTURE(part);
        CHECK(line.find(part) != std::string::npos);
    }
    auto const again = sonde::json::parse(line).get<sonde::record>();
    CHECK(again.initiators == 0);
    CHECK_FALSE(sonde::has_times(again));
    CHECK(sonde::median(again).count() == 0);
    CHECK(sonde::detail::json_line(again) == line);
    CHECK_FALSE(sonde::median_interval(again).has_value());
}

TEST_CASE("a negative or fractional number of bytes is refused") {
    auto j = sonde::json::parse(sonde::detail::json_line(reports::example()));
    for (auto const wrong : {-1.0, 0.5, 1e30}) {
        j["total"]["bytes"] = wrong;
        CHECK_THROWS_AS((void)j.get<sonde::record>(), std::invalid_argument);
    }
}
