// SPDX-License-Identifier: BSL-1.0
// The selected benchmarks, their order, and the list of all benchmarks.
#include "words_program.hpp"

#include <doctest/doctest.h>

using namespace imb;

namespace {

std::string selection(words const& all) {
    auto const about = program();
    std::string names;
    for (auto const* test : selected(about.tests, parsed(all, about))) names += " " + test->name;
    return names.empty() ? names : names.substr(1);
}

std::string refused_selection(words const& all) {
    return refused([&] { selection(all); });
}

} // namespace

TEST_CASE("without names the default benchmarks run, in the order of the table") {
    CHECK(selection({}) == "PingPong PingPing Bcast Passive");
}

TEST_CASE("names match in any case, run in the given order and number, and may be separated by commas") {
    CHECK(selection({"bcast", "PINGPONG,uniband", "Bcast,bcast"}) == "Bcast PingPong Uniband Bcast Bcast");
}

TEST_CASE("included benchmarks come first, before the default list or the names; excluded ones are removed") {
    CHECK(selection({"-include", "uniband"}) == "Uniband PingPong PingPing Bcast Passive");
    CHECK(selection({"Bcast", "-include", "uniband", "-include", "PingPong"}) == "Uniband PingPong Bcast");
    CHECK(selection({"-exclude", "pingpong,bcast"}) == "PingPing Passive");
    CHECK(selection({"-exclude", "pingpong", "-exclude", "bcast"}) == "PingPing Passive");
    CHECK(selection({"Bcast", "Uniband", "-include", "uniband", "-exclude", "UNIBAND"}) == "Bcast");
}

TEST_CASE("names of files follow those of the command line: the first word of each line that is not a comment") {
    file const first{"words_names.txt", "\n# pingpong\nBcast and more\n\n \t uniband\n#\nBcast"};
    file const second{"words_more.txt", "PingPing\r\n"};
    CHECK(selection({"-input", first.path, "pingpong"}) == "PingPong Bcast Uniband Bcast");
    CHECK(selection({"-input", first.path, "-input", second.path}) == "Bcast Uniband Bcast PingPing");
    file const empty{"words_none.txt", "# PingPong\n\n"};
    CHECK(refused_selection({"-input", empty.path}) ==
          "No name in the file of -input " + empty.path + "; accepted: one a line");
    CHECK(refused_selection({"-input", "no_such"}) ==
          "Cannot read the file of -input no_such: No such file or directory");
}

TEST_CASE("an unknown name is refused in every option, with the nearest name") {
    auto const* const line = "Invalid benchmark name PingPng; did you mean PingPong? (-list prints all)";
    file const names{"words_names.txt", "PingPng\n"};
    CHECK(refused_selection({"PingPng"}) == line);
    CHECK(refused_selection({"Bcast,PingPng"}) == line);
    CHECK(refused_selection({"-include", "PingPng"}) == line);
    CHECK(refused_selection({"-exclude", "PingPng"}) == line);
    CHECK(refused_selection({"-input", names.path}) == line);
}

TEST_CASE("an empty name and an empty selection are refused") {
    CHECK(refused({"Bcast,"}) == "Invalid names of benchmarks: Bcast,; accepted: names with commas between");
    CHECK(refused({""}) == "Invalid names of benchmarks: ; accepted: names with commas between");
    for (auto const* option : {"-include", "-exclude"})
        for (auto const* value : {"", "Bcast,", ",Bcast", "Bcast,,PingPong"})
            CHECK(refused({option, value})
                      .starts_with("Invalid value of " + std::string{option} + ": " + as_shown(value) +
                                   "; accepted: names of "));
    CHECK(refused_selection({"Bcast", "-exclude", "Bcast"}) ==
          "-exclude leaves no benchmark to run; accepted: some of those asked for");
}

TEST_CASE("the list is alphabetical, marks benchmarks that do not run by default, and ends with comments") {
    CHECK(parsed({"-list"}).requested == action::list);
    CHECK(list("IMB-TEST", program().tests) ==
          "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\nIMB-TEST:\n"
          "    Bcast\n    Passive\n        2 cases:\n        1) one\n    PingPing\n    PingPong\n"
          "    Uniband (non-default)\n");
}
