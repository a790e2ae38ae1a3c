// SPDX-License-Identifier: BSL-1.0
// The programs that start and end MPI, each by the name of a link: osu_init prints the time of the start over the
// ranks, osu_hello, to be timed by the caller, the number of ranks.
#include "osu/driver/mpi_library.hpp"
#include "osu/driver/osu_driver.hpp"
#include "suite/launch.hpp"
#include "suite/reports.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace osu {

namespace {

/// The start of MPI on all ranks as a record of one sample. Collective over the group.
sonde::record start_record(std::string name, sonde::mpi::group const& ranks, sonde::seconds on_this_rank) {
    auto const time = on_this_rank.count();
    std::array<double, 2> extremes{time, -time};
    std::array<double, 1> sum{time};
    ranks.all_reduce(extremes, sonde::reduction::max);
    ranks.all_reduce(sum, sonde::reduction::sum);
    sonde::record found;
    found.point.name = std::move(name);
    found.ranks = found.initiators = ranks.size();
    found.series = {sonde::seconds{extremes[0]}};
    found.over_ranks = {sonde::seconds{-extremes[1]}, sonde::seconds{sum[0] / ranks.size()},
                        sonde::seconds{extremes[0]}};
    found.stop.samples = 1;
    return found;
}

/// Whole milliseconds, rounded down.
long long milliseconds(sonde::seconds time) { return static_cast<long long>(1e3 * time.count()); }

std::string times_of_start(sonde::record const& r) {
    char text[200];
    std::snprintf(text, sizeof text, "nprocs: %d, min: %lld ms, max: %lld ms, avg: %lld ms", r.ranks,
                  milliseconds(r.over_ranks.min), milliseconds(r.over_ranks.max), milliseconds(r.over_ranks.mean));
    return text;
}

std::string hello(sonde::record const& r) { return "This is a test with " + std::to_string(r.ranks) + " processes"; }

/// Prints the title and `line_of(record)`, and reports the record. Returns the exit status. Collective over the world.
int run_startup(invocation const& from, sonde::seconds start_time, std::string (*line_of)(sonde::record const&)) {
    auto const& world = from.world;
    auto const found = start_record(from.about.name, world, start_time);
    auto const where = suite::environment_of(world, from.argc, from.argv, from.options.reports, false);
    row_reports reports; // rank 0's
    together(world, [&] {
        if (world.rank() == 0) reports = open_reports(from.about, from.options, where);
    });
    print(world, table::title_of(from.about) + "\n" + line_of(found) + "\n");
    together(world, [&] {
        reports.add(found, {});
        reports.finish();
    });
    return 0;
}

/// A program that starts MPI, prints a title and one line, and ends.
suite::named_program startup_program(program const& about, std::string (*line_of)(sonde::record const&)) {
    return {
        about.name, [about, line_of](int argc, char** argv) {
            return suite::launch(argc, argv, [&]() -> request {
                auto const asked = parse(about, argc, argv);
                if (asked.requested == action::help) return {.text = usage(about)};
                if (asked.requested == action::version) return {.text = table::title_of(about) + "\n"};
                return {
                    .session = asked.session, .run = [&about, line_of, argc, argv, asked](mpi_job const& job) {
                        return run_startup({about, asked, job.world, argc, argv, job.further}, job.start_time, line_of);
                    }};
            });
        }};
}

} // namespace

} // namespace osu

int main(int argc, char** argv) {
    using namespace osu;
    program const init{.name = "osu_init",
                       .title = "OSU MPI Init Test",
                       .moved_by = mpi_library,
                       .accepted = startup_options | option_name::session};
    program const greeting{
        .name = "osu_hello", .title = "OSU MPI Hello World Test", .moved_by = mpi_library, .accepted = startup_options};
    return suite::run_program({{startup_program(init, times_of_start), startup_program(greeting, hello)}}, argc, argv);
}
