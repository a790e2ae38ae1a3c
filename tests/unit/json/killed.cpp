// SPDX-License-Identifier: BSL-1.0
#include <sonde/json/lines.hpp>
#include <sonde/report.hpp>
#include <sonde/report/csv.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <sstream>
#include <string>

#include "../report/support.hpp"

namespace {

/// A child process that reports without end, and writes to a pipe after each record.
struct endless_job {
    int done[2];
    pid_t process;

    explicit endless_job(std::string const& json, std::string const& csv) {
        REQUIRE(pipe(done) == 0);
        process = fork();
        if (process == 0) report_for_ever(json, csv);
        close(done[1]);
    }

    [[noreturn]] void report_for_ever(std::string const& json, std::string const& csv) const {
        std::signal(SIGTERM, SIG_DFL); // the test runner's own handler would write to its output
        auto report = sonde::tee(sonde::json_lines{json, sonde::local_environment()}, sonde::csv{csv});
        auto r = reports::example();
        r.series.assign(3000, reports::ns(1234));
        for (;;) {
            report(r);
            if (write(done[1], "x", 1) != 1) _exit(1);
        }
    }

    /// Ends the child after `records` records; returns the number of reported ones.
    std::size_t end_after(std::size_t records, int signal) const {
        char c;
        std::size_t reported = 0;
        while (reported != records && read(done[0], &c, 1) == 1) ++reported;
        kill(process, signal);
        waitpid(process, nullptr, 0);
        while (read(done[0], &c, 1) == 1) ++reported;
        close(done[0]);
        return reported;
    }
};

void check_whole_after(int signal) {
    reports::scratch_folder folder;
    auto const json = folder / "run.json", csv = folder / "run.csv";
    auto const reported = endless_job{json, csv}.end_after(40, signal);
    CHECK(reported >= 40);
    auto const found = sonde::read_json_lines(json); // throws if a complete line is invalid
    CHECK(found.environment.has_value());
    CHECK(found.records.size() >= reported);
    for (auto const& r : found.records) CHECK(r.series.size() == 3000);
    auto const text = reports::contents(csv);
    std::istringstream lines{text.substr(0, text.rfind('\n') + 1)};
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line); ++rows)
        CHECK(line.substr(line.size() - 2) == (rows == 0 ? "rs" : ",,"));
    CHECK(rows >= reported + 1);
}

} // namespace

TEST_CASE("a job that is terminated leaves every reported record complete") { check_whole_after(SIGTERM); }
TEST_CASE("a job that is killed leaves every reported record complete") { check_whole_after(SIGKILL); }
