// SPDX-License-Identifier: BSL-1.0

// One-sided communication: an application's own puts, then transfers and epochs of Sonde between pairs of ranks.

#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <utility>

#include <cstring>
#include <vector>

// [own]
/// One-sided code of an application: every rank puts its array into the window of its right neighbor.
sonde::record measure_shift(sonde::mpi::group& ranks, std::span<double const> mine, MPI_Win window) {
    auto const n = static_cast<int>(mine.size());
    auto const right = (ranks.rank() + 1) % ranks.size();
    auto const shift = [&] {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
        MPI_Put(mine.data(), n, MPI_DOUBLE, right, 0, n, MPI_DOUBLE, window);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    };
    sonde::traffic const moved{.bytes = mine.size_bytes(), .messages = 1}; // of this rank, in one iteration
    return sonde::run(ranks, sonde::plan<>{}, sonde::with_traffic(moved, shift), {"shift", {{"bytes", moved.bytes}}});
}
// [/own]

/// Returns true if puts between pairs of ranks moved the right bytes.
bool between_pairs(sonde::mpi::group& ranks) {
    // [pairs]
    auto report = sonde::on_root{ranks, sonde::table{stdout}};
    auto correct = true;
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2); // an initiator is an origin, a responder a target
    std::size_t const many = 16;                                      // transfers in an epoch that aggregates them
    auto const plan = sonde::plan<>{}.batch(50);                      // a single get is too short for the clock
    for (std::size_t n = 8; n <= 2048; n *= 16) {
        sonde::mpi::block const block{MPI_BYTE, n};
        sonde::host_allocation memory{many * n}; // transfer i moves block i of the memory and of the window
        sonde::mpi::allocated_window const window{ranks, many * n};
        memory.fill(std::byte{1});
        auto const measure = [&](char const* name, char const* kind, auto epoch, std::size_t transfers, auto transfer) {
            sonde::rma pattern{std::move(epoch), pair.role, transfers, transfer};
            report(sonde::run(ranks, plan, pattern, {name, {{"epoch", kind}, {"transfers", transfers}, {"bytes", n}}}));
        };

        // Active target: MPI_Put between two calls of MPI_Win_fence, in which all ranks of the window take part.
        sonde::mpi::peer const target{pair.peer};
        sonde::mpi::put const put{window, target, memory.bytes(), block};
        measure("put", "fence", sonde::mpi::fence{window}, 1, put);
        measure("put", "fence", sonde::mpi::fence{window}, many, put);
        if (pair.role == sonde::role::responder) correct = correct && window.region().back() == std::byte{1};

        // Passive target: only origins lock. MPI_Get and MPI_Win_flush, under a lock that the epoch object holds.
        sonde::mpi::peer const locked{pair.role == sonde::role::initiator ? pair.peer : -1};
        sonde::mpi::get const get{window, target, memory.bytes(), block};
        measure("get", "flush", sonde::mpi::flush{window, locked}, 1, get);

        // MPI_Accumulate of integers by bitwise or, between MPI_Win_lock and MPI_Win_unlock in every iteration.
        sonde::mpi::accumulate const accumulate{window, target, memory.bytes(), {MPI_INT64_T, n / 8}, MPI_BOR};
        measure("acc", "lock", sonde::mpi::lock{window, locked}, 1, accumulate);
    }
    // [/pairs]
    return correct;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto correct = true;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        std::vector<double> const mine(1024, ranks.rank() + 1);
        sonde::mpi::allocated_window const window{ranks, 1024 * sizeof(double)};
        sonde::on_root{ranks, sonde::table{stdout}}(measure_shift(ranks, mine, window.handle()));
        double received = 0;
        std::memcpy(&received, window.region().data(), sizeof received);
        auto const left = (ranks.rank() + ranks.size() - 1) % ranks.size();
        correct = received == left + 1 && between_pairs(ranks);
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
