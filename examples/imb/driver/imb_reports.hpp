// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/launch.hpp"
#include "suite/refusal.hpp"
#include "suite/reports.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace imb {

/// A result as a text, to travel between ranks, and back. Numbers are exact.
std::string text_of(result const& r);
result result_of(std::string const& text);

/// Open reports of `-report`, on world rank 0; on other ranks there are none.
class reports {
public:
    reports() = default;
    /// Throws suite::refusal if a file cannot be opened for writing.
    reports(options const& asked, sonde::environment const& where);

    /// Report the records of one group out of `groups`, with the parameters `groups` and `repetitions`; `errors` is 1
    /// if contents were wrong and 0 if they were right. HTML pages and plots omit parameters without information.
    void operator()(result const& r, std::size_t groups);
    /// Report a record unchanged.
    void operator()(sonde::record const& r) const;
    /// Write the ends of the files. Collective over the ranks; throws suite::refusal on all of them if a write fails.
    void finish(sonde::mpi::group const& world) const;

private:
    struct open_report {
        suite::reporter take;
        bool for_people; // HTML or plot
    };
    std::vector<open_report> all_;
};

/// Open the reports on rank 0. Collective over the ranks; throws suite::refusal on all of them if a file cannot be
/// opened for writing.
reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where);

/// A run of a program, on every rank.
template <class Options, class Row>
struct program_run {
    Options const& options;
    std::vector<Row const*> const& tests; // to run, in this order
    sonde::mpi::group& world;
    sonde::environment const& environment;
    imb::reports& report; // world rank 0's

    /// Print on world rank 0.
    void print(std::string const& text) const { suite::print(world, text); }
};

/// A program of the suite: its benchmarks, its command line, and its run. `Options` are imb::options or derived from
/// them.
template <class Options, class Row>
struct program {
    std::string name; // "IMB-MT"
    std::vector<Row> const& rows;
    std::function<std::vector<option_row>(Options& into)> options;   // bound to `into`
    std::function<Options(int argc, char const* const* argv)> parse; // throws suite::refusal
    std::optional<std::string> list{};                               // text of -list; none: that of most programs
    /// Refuses, before anything is opened or printed, what the ranks or their hosts cannot run: throws suite::refusal
    /// on all ranks. Collective over the world.
    std::function<void(Options const&, std::vector<Row const*> const& tests, sonde::mpi::group& world)> require;
    /// Prints the header, the tables and the end, and reports the records. Returns false, on rank 0 at least, if
    /// contents were wrong. Throws suite::refusal on all ranks. Collective over the world.
    std::function<bool(program_run<Options, Row> const&)> run;
    std::string where_wrong = "the column defects"; // where the output shows wrong contents
};

/// Throws suite::refusal on all ranks if the MPI library provides less than -thread_level requests.
void require_level(threading requested, threading provided);

/// `main` of a program: the exit status. Invalid input is refused on every rank, with one line on rank 0 and status 1,
/// before any measurement; wrong contents end in status 1, after everything is reported.
template <class Options, class Row>
int launch(int argc, char** argv, program<Options, Row> const& about) {
    return suite::launch(argc, argv, [&]() -> suite::request {
        Options const asked = about.parse(argc, argv);
        if (asked.requested == action::help) {
            Options defaults;
            return {.text = usage(about.name, about.options(defaults), asked.explained)};
        }
        if (asked.requested == action::list)
            return {.text = about.list.value_or(list(about.name, entries_of(about.rows)))};
        return {.level = asked.level,
                .run = [&about, argc, argv, asked, tests = selected(about.rows, asked)](suite::mpi_job const& job) {
                    require_level(asked.level, job.provided);
                    about.require(asked, tests, job.world);
                    auto const where = suite::environment_of(job.world, argc, argv, asked.reports, uses_device(asked));
                    auto report = open_reports(job.world, asked, where);
                    auto const right = about.run({asked, tests, job.world, where, report});
                    report.finish(job.world);
                    suite::agree(job.world, right ? "" : "Contents were wrong: see " + about.where_wrong);
                    return 0;
                }};
    });
}

} // namespace imb
