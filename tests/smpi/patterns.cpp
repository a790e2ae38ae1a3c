// SPDX-License-Identifier: BSL-1.0

// Ranks that SimGrid's SMPI simulates in one process: patterns over links, a collective and a window, by its clock, and
// with the argument `records` what a record tells of the ranks.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

namespace mpi = sonde::mpi;

constexpr std::size_t bytes = 1000;

auto plan() { return sonde::plan<>{}.timed_by(mpi::wtime{}).warmup(2).until(sonde::samples{20}); }

/// True if the median is at least that of the platform's latencies, of 10 us each, and less than a second.
bool is_plausible(char const* what, sonde::record const& r, double least) {
    auto const median = sonde::median(r).count();
    auto const good = r.series.size() == 20 && median >= least && median < 1;
    if (!good) std::printf("%s: %zu samples, %g s\n", what, r.series.size(), median);
    return good;
}

bool measure() {
    mpi::group const ranks{MPI_COMM_WORLD};
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    sonde::host_allocation const out{bytes}, in{4 * sonde::host_allocation::stride_of(bytes)};
    std::array<std::byte, 1> token{};

    sonde::ping_pong ping_pong{mpi::link{ranks, pair.peer}, pair.role, out.first(bytes), in.first(bytes)};
    auto good = is_plausible("ping_pong", sonde::run(ranks, plan(), ping_pong), 2e-5);
    sonde::stream stream{
        mpi::async_link{ranks, pair.peer}, pair.role,          4, out.first(bytes), in.distinct_regions(bytes, 4),
        mpi::link{ranks, pair.peer, 1},    sonde::slice{token}};
    good &= is_plausible("stream", sonde::run(ranks, plan(), stream), 2e-5);

    std::vector<double> mine(10), sum(10);
    auto const bytes_of = [](std::vector<double>& v) { return sonde::slice{std::as_writable_bytes(std::span{v})}; };
    mpi::blocking reduced{mpi::allreduce{ranks, {MPI_DOUBLE, 10}, MPI_SUM}, bytes_of(mine), bytes_of(sum)};
    good &= is_plausible("allreduce", sonde::run(ranks, plan(), reduced), 1e-5);

    mpi::allocated_window const window{ranks, bytes};
    mpi::put const put{window, mpi::peer{pair.peer}, out.bytes(), {MPI_BYTE, bytes}};
    sonde::rma puts{mpi::fence{window}, pair.role, 1, put};
    good &= is_plausible("put", sonde::run(ranks, plan(), puts), 1e-5);
    return good;
}

/// True if the environment of a record has the library, and on rank 0 a host for each rank, as the platform names it.
bool describe() {
    mpi::group const ranks{MPI_COMM_WORLD};
    auto const e = mpi::environment_of(ranks);
    auto good = e.communication_library.starts_with("SMPI Version ") && e.transport.empty() &&
                e.hosts.size() == (ranks.rank() == 0 ? static_cast<std::size_t>(ranks.size()) : 0);
    for (std::size_t i = 0; good && i != e.hosts.size(); ++i) good = e.hosts[i] == "host-" + std::to_string(i);
    if (!good) std::printf("%s: %zu hosts\n", e.communication_library.c_str(), e.hosts.size());
    return good;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto good = false;
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] { good = argc > 1 ? describe() : measure(); });
    MPI_Finalize();
    return good ? 0 : 1;
}
