// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/csv.hpp>
#include <sonde/report/text.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "support.hpp"

namespace {

/// Writing system calls of this process so far; negative if the system does not count them.
long writes_so_far() {
    std::ifstream counts{"/proc/self/io"};
    for (std::string name; counts >> name;)
        if (long count = 0; name == "syscw:" && counts >> count) return count;
    return -1;
}

} // namespace

TEST_CASE("a file that cannot be opened throws with its path and the reason") {
    reports::scratch_folder folder;
    auto const path = folder / "missing/out.csv";
    CHECK_THROWS_WITH_AS(sonde::output_file{path}, ("cannot write '" + path + "': No such file or directory").c_str(),
                         std::system_error);
}

TEST_CASE("a null file is refused, and a reporter that was moved from") {
    std::FILE* const none = nullptr;
    CHECK_THROWS_WITH_AS(sonde::output_file{none}, "sonde: the file of a reporter is null: was it opened?",
                         std::invalid_argument);
    reports::scratch_folder folder;
    sonde::csv first{folder / "out.csv"};
    first(reports::example());
    sonde::csv second{std::move(first)};
    // NOLINTNEXTLINE(bugprone-use-after-move): the mistake
    CHECK_THROWS_WITH_AS(first(reports::example()), "sonde: a reporter was moved from, and reports no more",
                         std::logic_error);
    CHECK_NOTHROW(second(reports::example()));
    sonde::output_file out{folder / "out"};
    sonde::output_file other{std::move(out)};
    CHECK_THROWS_AS(out.line("x"), std::logic_error); // NOLINT(bugprone-use-after-move)
}

TEST_CASE("a full disk throws at the line that does not fit") {
    sonde::output_file full{"/dev/full"};
    CHECK_THROWS_WITH_AS(full.line("x"), "cannot write '/dev/full': No space left on device", std::system_error);
    sonde::csv reporter{"/dev/full"};
    CHECK_THROWS_AS(reporter(reports::example()), std::system_error);
}

TEST_CASE("a line is in the file when the call returns") {
    reports::scratch_folder folder;
    sonde::output_file out{folder / "out"};
    out.line("first");
    CHECK(reports::contents(folder / "out") == "first\n");
    out.line(std::string(100'000, 'x'));
    CHECK(reports::contents(folder / "out").size() == 6 + 100'001);
}

TEST_CASE("a line of any length is one write, which a signal cannot split (needs /proc/self/io)" *
          doctest::skip(writes_so_far() < 0)) {
    reports::scratch_folder folder;
    sonde::output_file out{folder / "out"};
    auto const before = writes_so_far();
    out.line(std::string(100'000, 'x'));
    CHECK(writes_so_far() == before + 1);
}

TEST_CASE("a check whether a file can be written does not change it") {
    reports::scratch_folder folder;
    sonde::output_file{folder / "out"}.line("of an earlier run");
    sonde::require_writable(folder / "out");
    CHECK(reports::contents(folder / "out") == "of an earlier run\n");
    CHECK_THROWS_WITH_AS(sonde::require_writable("/no/folder/out"),
                         "cannot write '/no/folder/out': No such file or directory", std::system_error);
}

TEST_CASE("copies write to the same file, which an open truncates") {
    reports::scratch_folder folder;
    sonde::output_file{folder / "out"}.line("of an earlier run");
    sonde::output_file out{folder / "out"};
    auto copy = out;
    out.line("a");
    copy.line("b");
    CHECK(reports::contents(folder / "out") == "a\nb\n");
}

TEST_CASE("the caller's file stays open") {
    reports::memory_file file;
    { sonde::output_file{file.get()}.line("a"); }
    CHECK(std::fputs("b", file.get()) >= 0);
    CHECK(std::fflush(file.get()) == 0);
    CHECK(file.text() == "a\nb");
}

TEST_CASE("an exception of any type at the end of a reporter does not end the program, and finish throws it") {
    auto const throws = [](auto const& what) { return [what](std::vector<sonde::record> const&) { throw what; }; };
    { sonde::detail::kept_records const records{throws(42)}; }
    { sonde::detail::kept_records const records{throws(std::runtime_error{"expected: a reporter's error"})}; }
    sonde::detail::kept_records records{throws(42)};
    CHECK_THROWS_AS(records.finish(), int);
}
