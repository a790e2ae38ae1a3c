// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"
#include "tools/launch/launches.hpp"
#include "tools/records/launch_file.hpp"

#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support.hpp"

namespace {

using words = std::vector<std::string>;

struct folder {
    std::string const path = [] {
        auto pattern = (std::filesystem::temp_directory_path() / "sonde-XXXXXX").string();
        return std::string{mkdtemp(pattern.data())};
    }();
    ~folder() { std::filesystem::remove_all(path); }

    std::string const from = path + "/from", to = path + "/to";

    std::size_t collect(std::size_t number, std::string const& text) const {
        std::ofstream{from} << text;
        return tools::collect({number, "mpirun x", "exit status 0", sonde::seconds{2}}, from, to);
    }
};

std::string const environment_line = sonde::detail::json_line(made::environment()) + '\n';
std::string const record_line = sonde::detail::json_line(made::row(8, {0.1 + 0.2})) + '\n';

} // namespace

TEST_CASE("the path for records is appended to the program's arguments, or replaces {json} in them") {
    CHECK(tools::with_report({"mpirun", "x"}, "/f") == words{"mpirun", "x", "--report", "json=/f"});
    CHECK(tools::with_report({"x", "{json}", "-o={json},{json}"}, "/f{json}") ==
          words{"x", "/f{json}", "-o=/f{json},/f{json}"});
}

TEST_CASE_FIXTURE(folder, "launches are read back as they were collected, one after the other") {
    CHECK(collect(1, environment_line + record_line + record_line) == 2);
    CHECK(collect(2, environment_line + record_line) == 1);
    CHECK(tools::launches_in(to) == 2);
    auto const runs = sonde::read_launches(to);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].records.size() == 2);
    CHECK(runs[1].launch->number == 2);
    CHECK(runs[1].launch->command == "mpirun x");
    CHECK(runs[1].environment->communication_library == "Some MPI 4");
    CHECK(runs[1].records[0].series == made::times({0.1 + 0.2}));
}

TEST_CASE_FIXTURE(folder, "a killed program's complete lines are kept; one without records leaves no launch") {
    CHECK(collect(1, environment_line + record_line + record_line.substr(0, 40)) == 1);
    CHECK(sonde::read_launches(to)[0].records.size() == 1);
    CHECK(collect(2, environment_line) == 0);
    CHECK(tools::collect({3, "x", "signal 9", {}}, path + "/none", to) == 0);
    CHECK(tools::launches_in(to) == 1);
    CHECK(tools::launches_in(path + "/none") == 0);
    CHECK(collect(7, record_line) == 1);
    CHECK(tools::launches_in(to) == 2);
    CHECK(tools::last_launch_in(to) == 7);
    for (auto const* endless : {"/dev/full", "/dev/zero"}) CHECK(tools::last_launch_in(endless) == 0);
}

TEST_CASE_FIXTURE(folder, "invalid JSON is refused with its position") {
    CHECK_THROWS_AS(collect(1, "hello\n"), std::runtime_error);
    CHECK(!std::filesystem::exists(to));
}

TEST_CASE("each launch has a line: its duration, its records, and the remaining time") {
    tools::launch_progress so_far{4};
    tools::ending e;
    e.wall = sonde::seconds{1.5};
    so_far.add(e, 23);
    CHECK(tools::line_of(so_far, e, 23) == "launch 1 of 4: 1.5 s, 23 records; about 4.5 s left");
    e.wall = sonde::seconds{2.5};
    e.timed_out = true;
    so_far.add(e, 1);
    CHECK(tools::line_of(so_far, e, 1) == "launch 2 of 4 failed with a time-out after 2.5 s; 1 record kept");
    CHECK(so_far.failed == 1);
    so_far.add({}, 0);
    CHECK(tools::line_of(so_far, {}, 0).starts_with("launch 3 of 4 left no record"));
    CHECK(so_far.failed == 2);
    so_far.add({}, 2);
    CHECK(tools::line_of(so_far, {}, 2) == "launch 4 of 4: 0.0 s, 2 records");
    CHECK(tools::too_few(6).empty());
    CHECK(tools::too_few(5).starts_with("5 launches: too few"));
}

TEST_CASE("the advice is commands: twice as many launches for each side, and the comparison") {
    auto runs = made::launches({1, 2, 3});
    runs[0].launch = sonde::launch{1, "mpirun 'a b'", "exit status 0", {}};
    auto other = runs;
    other[0].launch->command = "mpirun c";
    auto const lines = tools::advice({"old.jsonl", runs}, {"new file", other}, false);
    REQUIRE(lines.size() == 4);
    CHECK(lines[1] == "  sonde-launch -n 6 --append --out old.jsonl -- mpirun 'a b'");
    CHECK(lines[2] == "  sonde-launch -n 6 --append --out 'new file' -- mpirun c");
    CHECK(lines[3] == "  sonde-compare old.jsonl 'new file'");
    auto const equal_commands = tools::advice({"a", runs}, {"b", runs}, true);
    CHECK(equal_commands[1].ends_with(" mpirun 'a b'   # with the installation and the environment of the old side"));
    CHECK(equal_commands[3] == "  sonde-compare --despite-differences a b");
}
