// SPDX-License-Identifier: BSL-1.0

// Computes a picture in tasks of very unequal cost. A rank that becomes free gets the number of the next task, either
// from a counter in the memory of rank 0, by one-sided communication, or from a server, which costs a worker. The
// program measures both in its own job, and continues with the better one.

#include "application.hpp"
#include "tasks/job.hpp"
#include "tasks/numbers.hpp"
#include "tasks/tasks_measurement.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tasks;

constexpr auto usage = "usage: tasks [--picture COLUMNSxROWS] [--limit N] [--block PIXELS] [--way WAY] [--help]\n"
                       "  --picture  number of pixels of a picture of the Mandelbrot set (default 1024x768)\n"
                       "  --limit    maximum number of iterations of a pixel, 1 or more (default 4000)\n"
                       "  --block    number of pixels of a task, 1 or more (default 64)\n"
                       "  --way      source of the numbers of tasks: 'counter' in the memory of rank 0, 'server' on\n"
                       "             rank 0, or 'measured', the better one of these in this job (default measured)\n";

auto const world = MPI_COMM_WORLD;

int rank() {
    int r = 0;
    MPI_Comm_rank(world, &r);
    return r;
}

int ranks() {
    int n = 0;
    MPI_Comm_size(world, &n);
    return n;
}

struct options {
    tasks::picture picture{};
    tasks::way way = tasks::way::measured;
};

void require_few_tasks(picture const& p) {
    constexpr std::int64_t most = 10'000'000; // every rank keeps the counts of all
    if (p.tasks() > most)
        throw std::invalid_argument{"--block: " + std::to_string(p.tasks()) + " tasks of " + std::to_string(p.block) +
                                    " pixels are more than " + std::to_string(most) + "; use larger blocks"};
}

/// The options, or std::nullopt for --help. Throws std::invalid_argument for an invalid command line.
std::optional<options> parse(int argc, char const* const* argv) {
    options o;
    auto const asks_for_help = !embed::read_options(
        argc, argv,
        {{"--picture", embed::columns_and_rows(o.picture.columns, o.picture.rows)},
         {"--limit", embed::number(o.picture.limit, 1, 1'000'000)},
         {"--block", embed::number(o.picture.block, 1, 1'000'000)},
         {"--way", embed::one_of<tasks::way>(
                       o.way, {{"measured", way::measured}, {"counter", way::counter}, {"server", way::server}})}});
    if (asks_for_help) return std::nullopt;
    require_few_tasks(o.picture);
    return o;
}

char const* name(way taken) { return taken == way::server ? server::name : shared_counter::name; }

void print_title(char const* what, char const* unit) {
    std::printf("\n%-40s%8s %9s %s  %-17s%9s  %-14s%s\n", what, "workers", "median", unit, "95 % interval", "speed-up",
                "95 % interval", "outcome");
}

/// Print a line of a table; the last argument is the number of units in a second.
void print_line(char const* name, int workers, sonde::comparison const& all, std::size_t i, double per_second) {
    auto const time = [&](sonde::seconds t) { return t.count() * per_second; };
    auto const as_is = [](double factor) { return factor; };
    auto const& r = all.records[i];
    std::printf("  %-38s%8d %12.2f  %-17s%9.2f  %-14s%s\n", name, workers, time(sonde::median(r)),
                embed::interval_text(sonde::median_interval(r), time).c_str(), sonde::speedup(all, i),
                embed::interval_text(sonde::speedup_interval(all, i), as_is).c_str(),
                i == 0 ? "(base)" : sonde::outcome_text(all, i).c_str());
}

void print(picture const& of) {
    std::printf("%lld pixels of the Mandelbrot set in %lld tasks of %d, %d %s\n", static_cast<long long>(of.pixels()),
                static_cast<long long>(of.tasks()), of.block, ranks(), ranks() == 1 ? "rank" : "ranks");
}

void print(serial_result const& serial, picture const& of) {
    auto const& costs = serial.done.iterations();
    auto const [least, most] = std::minmax_element(costs.begin(), costs.end());
    std::printf("rank 0 alone: %.4f s, %.2f us a task; %lld to %lld iterations a task, %lld on average\n",
                serial.seconds, serial.seconds * 1e6 / static_cast<double>(of.tasks()), static_cast<long long>(*least),
                static_cast<long long>(*most), static_cast<long long>(serial.average));
}

/// Print the measurements and the forecasts.
void print(measurements const& found, sonde::comparison const& jobs, way taken) {
    auto const [with_counter, with_server] = found.rounds.workers;
    auto const us = 1e6, ms = 1e3;
    std::printf(
        "\ntwo ways to get numbers, with all workers at it at once; times of the slowest worker, in %zu rounds of "
        "each\n",
        found.rounds.compared.records[0].series.size());
    print_title("a number", "us");
    print_line(shared_counter::name, with_counter, found.numbers, 0, us);
    print_line(reference_counter::name, with_counter, found.numbers, 1, us);
    print_line(server::name, with_server, found.numbers, 2, us);
    print_title("a number, then work of an average task", "us");
    print_line(shared_counter::name, with_counter, found.rounds.compared, 0, us);
    print_line(server::name, with_server, found.rounds.compared, 1, us);
    print_title("that for all tasks", "ms");
    print_line(shared_counter::name, with_counter, jobs, 0, ms);
    print_line(server::name, with_server, jobs, 1, ms);
    std::printf("  without the spread of tasks, and without the tail, in which workers find no task left\n");
    std::printf("  (rank 0 did %lld iterations of work to find out)\n  used from now on: %s\n",
                static_cast<long long>(found.iterations), name(taken));
}

/// Print the distribution of the tasks and their iterations over the ranks, on rank 0. Collective.
void print_distribution(task_counts const& mine) {
    std::array<std::int64_t, 2> const own{mine.tasks_done(), mine.iterations_done()};
    std::vector<std::array<std::int64_t, 2>> all(static_cast<std::size_t>(ranks()));
    MPI_Gather(own.data(), 2, MPI_INT64_T, all.data(), 2, MPI_INT64_T, 0, world);
    if (rank() != 0) return;
    std::int64_t sum = 0;
    for (auto const& [tasks, iterations] : all) sum += iterations;
    std::printf("  %6s %10s %16s %8s\n", "rank", "tasks", "iterations", "share");
    for (std::size_t r = 0; r != all.size(); ++r) {
        auto const& [tasks, iterations] = all[r];
        std::printf("  %6zu %10lld %16lld %6.1f %%\n", r, static_cast<long long>(tasks),
                    static_cast<long long>(iterations),
                    100.0 * static_cast<double>(iterations) / static_cast<double>(sum));
    }
}

/// True if every task was done once, with the same result as in the serial run. For counts collected on rank 0.
bool agrees(task_counts const& done, task_counts const& serial) {
    for (std::size_t task = 0; task != done.times().size(); ++task) {
        auto const times = static_cast<long long>(done.times()[task]);
        if (times == 1 && done.iterations()[task] == serial.iterations()[task]) continue;
        std::printf("WRONG: task %zu was done %lld times, with %lld iterations instead of %lld\n", task, times,
                    static_cast<long long>(done.iterations()[task]), static_cast<long long>(serial.iterations()[task]));
        return false;
    }
    std::printf("every task was done once; %lld iterations, as by rank 0 alone\n",
                static_cast<long long>(done.iterations_done()));
    return true;
}

/// Do the job and check it. Returns the result of the check on rank 0, and true on the other ranks.
template <class Way>
bool do_job(picture const& of, serial_result const& serial, Way numbers) {
    task_counts done{of.tasks()};
    auto const took = time_of_job(world, of, numbers, done);
    if (rank() == 0)
        std::printf("\nall tasks (%s): %.4f s, %.2f times as fast as rank 0 alone\n", Way::name, took,
                    serial.seconds / took);
    print_distribution(done);
    done.collect(world);
    return rank() != 0 || agrees(done, serial.done);
}

way measured(picture const& of, serial_result const& serial) {
    auto const found = compare(world, of, serial);
    auto const jobs = forecast_of(found.rounds, of);
    auto const taken = choose(jobs);
    if (rank() == 0) print(found, jobs, taken);
    return taken;
}

bool do_job_together(options const& o, serial_result const& serial) {
    auto const taken = o.way == way::measured ? measured(o.picture, serial) : o.way;
    if (taken == way::server) return do_job(o.picture, serial, server{world});
    return do_job(o.picture, serial, shared_counter{world});
}

int solve(options const& o) {
    if (rank() == 0) print(o.picture);
    auto const serial = solve_serially(world, o.picture);
    if (rank() == 0) print(serial, o.picture);
    if (ranks() != 1) return do_job_together(o, serial) ? 0 : 1;
    return do_job(o.picture, serial, local_numbers{}) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = embed::run(
        {"tasks", usage, world}, [&] { return parse(argc, argv); }, solve);
    MPI_Finalize();
    return status;
}
