// SPDX-License-Identifier: BSL-1.0
#include "bench.hpp"

#include "sides.hpp"
#include "world_nodes.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/sizes.hpp>

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <new>

namespace osu {

namespace {

/// Messages under way together, at most.
std::size_t regions_of(program const& about, options const& asked, sonde::mpi::group const& world) {
    constexpr std::size_t widest = 128; // of -V
    if (about.shows == figure::latency) return 1;
    auto const peers = about.needs == ranks::several_nodes ? nodes_of(world).size() - 1 : 1;
    return peers * (asked.vary_window ? widest : asked.window);
}

/// The bytes of the longest message that any size of any type spans.
std::size_t longest(message_layout const& layout, options const& asked) {
    auto most = asked.max_size;
    if (layout.plain()) return most;
    for (auto const& type : types_of(asked)) most = std::max(most, layout.describe(type, asked.max_size).span);
    return most;
}

int ranks_on_this_host(sonde::mpi::group const& world) {
    MPI_Comm host = MPI_COMM_NULL;
    int ranks = 0;
    sonde::mpi::check(MPI_Comm_split_type(world.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
                      "MPI_Comm_split_type");
    sonde::mpi::check(MPI_Comm_size(host, &ranks), "MPI_Comm_size");
    sonde::mpi::check(MPI_Comm_free(&host), "MPI_Comm_free");
    return ranks;
}

/// Memory that is promised but not there would end the run in the middle of its largest size.
void require_memory(double bytes, int ranks) {
    auto const there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (bytes * ranks <= there) return;
    throw refusal{"Not enough memory [-m, -W, -t, -i]: " + std::to_string(ranks) + " ranks of a host need " +
                  fixed(1e-6 * bytes * ranks, 0) + " MB, it has " + fixed(1e-6 * there, 0) + "; accepted: what fits"};
}

/// Threads of a rank that need memory, at most.
int threads_of(program const& about, options const& asked) {
    if (about.t_means != probes::threads) return 1;
    auto const crew = crew_of(asked, thread_crew, thread_crew.senders);
    return 1 + std::max(crew.senders, crew.receivers); // beside the main thread's, which is not used
}

double memory_of(options const& asked, std::size_t largest, std::size_t regions) {
    auto const messages =
        2 * static_cast<double>(largest + 256) * static_cast<double>(asked.buffers_apart ? regions : 1);
    auto const times = 32 * static_cast<double>(asked.iterations.value_or(0)); // while a series grows and is sorted
    return messages + times;
}

/// Logs are made when something is wrong, which is too late to find out that they cannot be.
void require_log(options const& asked) {
    if (!asked.check.log) return;
    std::filesystem::path const log{*asked.check.log};
    if (exists(log))
        throw refusal{"Directory already exists. [-c log:" + log.string() + "]; accepted: a path where nothing is"};
    auto const folder = absolute(log).parent_path();
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw refusal{"Cannot write to " + folder.string() + " [-c log:" + log.string() +
                      "]; accepted: a path where a directory can be made"};
}

/// Where rows go to a file, a terminal shows how far they are.
std::optional<reporter> progress_of(std::size_t points) {
    if (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 0) return std::nullopt;
    return [shown = std::make_shared<sonde::progress<>>(points)](sonde::record const& r) { (*shown)(r); };
}

} // namespace

bench::bench(program const& about, options asked, sonde::mpi::group& world, int argc, char const* const* argv)
    : about_{about}, asked_{std::move(asked)}, world_{world}, table_{world.rank(), columns_of(about, asked_)},
      command_{argv[0]} {
    auto const where = sonde::mpi::environment_of(world, argc, argv);
    auto const ranks = ranks_on_this_host(world);
    auto const regions = regions_of(about, asked_, world);
    together(world, [&] {
        layout_.emplace(asked_.data);
        auto const largest = longest(*layout_, asked_);
        require_memory(threads_of(about, asked_) * memory_of(asked_, largest, regions), ranks);
        try {
            data_.emplace(asked_, largest, regions, world.rank());
        } catch (std::bad_alloc const&) {
            throw refusal{"Error allocating host memory [-m, -W]; accepted: sizes that fit into memory"};
        }
        if (world.rank() != 0) return;
        require_log(asked_);
        reports_ = open_reports(about, asked_, where);
        if (auto shown = progress_of(points())) reports_.push_back(std::move(*shown));
    });
}

payload bench::another_payload(int rank) const { return {asked_, longest(*layout_, asked_), 1, rank}; }

std::vector<std::size_t> bench::sizes(datatype const& type) const {
    std::vector<std::size_t> all;
    for (auto const size : sonde::sizes(asked_.min_size, asked_.max_size))
        if (size >= type.bytes) all.push_back(size);
    return all;
}

std::size_t bench::points() const {
    std::size_t all = 0;
    for (auto const& type : types()) all += sizes(type).size() * (asked_.vary_window ? 8 : 1);
    return all;
}

bool bench::keep(spot const& at, sonde::record const& found) {
    for (auto const& r : reports_) r(found);
    auto const wrong = found.errors.value_or(0) != 0;
    if (wrong) failed_ = at.size;
    return !wrong;
}

int bench::status() {
    if (!failed_) return 0;
    table_.line("DATA VALIDATION ERROR: " + command_ + " exited with status 1 on message size " +
                std::to_string(*failed_) + ".");
    return 1;
}

} // namespace osu
