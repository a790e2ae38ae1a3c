// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "../report/support.hpp"

namespace {

std::string launch_line(std::size_t number) {
    return sonde::detail::json_line(sonde::launch{number, "mpirun 'a b'", "exit status 0", sonde::seconds{1.5}}) + '\n';
}
std::string environment_line(std::string const& library) {
    sonde::environment e;
    e.communication_library = library;
    return sonde::detail::json_line(e) + '\n';
}
std::string record_line(std::size_t bytes) { return sonde::detail::json_line(reports::example(bytes)) + '\n'; }

struct launches {
    reports::scratch_folder folder;
    std::string path = folder / "runs.jsonl";

    std::vector<sonde::run_file> read(std::string const& text) const {
        std::ofstream{path} << text;
        return sonde::read_launches(path);
    }
};

} // namespace

TEST_CASE_FIXTURE(launches, "each launch of a file is a run of its own, with its environment and records") {
    auto const runs = read(launch_line(1) + environment_line("A") + record_line(8) + record_line(16) + launch_line(2) +
                           environment_line("B") + record_line(8));
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].launch->number == 1);
    CHECK(runs[0].launch->command == "mpirun 'a b'");
    CHECK(runs[0].launch->outcome == "exit status 0");
    CHECK(runs[0].launch->wall == sonde::seconds{1.5});
    CHECK(runs[0].environment->communication_library == "A");
    CHECK(runs[0].records.size() == 2);
    CHECK(runs[1].launch->number == 2);
    CHECK(runs[1].environment->communication_library == "B");
    CHECK(runs[1].records.size() == 1);
}

TEST_CASE_FIXTURE(launches, "concatenated files of single runs are separate runs") {
    auto const runs = read(environment_line("A") + record_line(8) + environment_line("B") + record_line(16));
    REQUIRE(runs.size() == 2);
    CHECK(!runs[0].launch);
    CHECK(runs[1].environment->communication_library == "B");
    CHECK(runs[1].records[0].point.parameters[0].text == "16");
}

TEST_CASE_FIXTURE(launches, "an environment after records without one begins a new run") {
    auto const runs = read(record_line(8) + environment_line("A"));
    REQUIRE(runs.size() == 2);
    CHECK(!runs[0].environment);
}

TEST_CASE_FIXTURE(launches, "a launch without records is an empty run, not a part of the next") {
    auto const runs = read(launch_line(1) + launch_line(2) + environment_line("A") + record_line(8));
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].records.empty());
    CHECK(runs[1].launch->number == 2);
}

TEST_CASE_FIXTURE(launches, "a single run is read from a file of one launch, and refused from one of two") {
    std::ofstream{path} << launch_line(1) << environment_line("A") << record_line(8);
    CHECK(sonde::read_json_lines(path).records.size() == 1);
    std::ofstream{path} << launch_line(1) << record_line(8) << launch_line(2);
    CHECK_THROWS(sonde::read_json_lines(path));
}
