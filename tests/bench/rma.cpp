// SPDX-License-Identifier: BSL-1.0

// One-sided operations by Sonde and by hand-written loops: MPI_Put of 8 bytes and of 64 KiB with a flush, MPI_Put of 8
// bytes between fences, MPI_Fetch_and_op with a flush.

#include "pairs.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// Memory and a window for the largest block; rank 0 is the origin, rank 1 the target.
struct setup {
    sonde::mpi::group world{MPI_COMM_WORLD};
    sonde::mpi::allocated_window window{world, 65536};
    sonde::host_allocation memory{2 * 65536};
    sonde::role who = sonde::pair_of(world.rank(), 1).role;
    sonde::mpi::peer target{who == sonde::role::initiator ? 1 : -1};
    MPI_Win win = window.handle();
    MPI_Aint at = window.base(1);
    void* from = memory.bytes().data();
    void* into = memory.bytes().last(65536).data();

    bool is_origin() const { return who == sonde::role::initiator; }
    sonde::mpi::put<> put(std::size_t bytes) { return {window, target, memory.bytes(), {MPI_BYTE, bytes}}; }
};

/// Compares `pattern` with `iterate`, a hand-written batch.
template <sonde::Pattern P, class Iterate>
int compare(setup& s, char const* what, amount much, P pattern, Iterate iterate) {
    auto const found =
        ratios([&] { return by_sonde(s.world, much, pattern); }, [&] { return by_hand(s.world, much, iterate); });
    return s.world.rank() == 0 ? judge(what, found, 0.03) : 0;
}

/// Compares both under the lock that the pattern holds.
int put_and_flush(setup& s, std::size_t bytes, amount much) {
    auto const n = static_cast<int>(bytes);
    auto const by_hand = [&](std::size_t batch) {
        for (std::size_t i = 0; s.is_origin() && i < batch; ++i) {
            MPI_Put(s.from, n, MPI_BYTE, s.target.rank, s.at, n, MPI_BYTE, s.win);
            MPI_Win_flush(s.target.rank, s.win);
        }
    };
    auto const what = "a put of " + std::to_string(bytes) + " bytes and a flush";
    return compare(s, what.c_str(), much, sonde::rma{sonde::mpi::flush{s.window, s.target}, s.who, 1, s.put(bytes)},
                   by_hand);
}

int put_between_fences(setup& s, amount much) {
    auto const by_hand = [&](std::size_t batch) {
        for (std::size_t i = 0; i < batch; ++i) {
            MPI_Win_fence(0, s.win);
            if (s.is_origin()) MPI_Put(s.from, 8, MPI_BYTE, s.target.rank, s.at, 8, MPI_BYTE, s.win);
            MPI_Win_fence(0, s.win);
        }
    };
    return compare(s, "a put of 8 bytes between fences", much,
                   sonde::rma{sonde::mpi::fence{s.window}, s.who, 1, s.put(8)}, by_hand);
}

int fetch_and_flush(setup& s, amount much) {
    auto const by_hand = [&](std::size_t batch) {
        for (std::size_t i = 0; s.is_origin() && i < batch; ++i) {
            MPI_Fetch_and_op(s.from, s.into, MPI_INT64_T, s.target.rank, s.at, MPI_SUM, s.win);
            MPI_Win_flush(s.target.rank, s.win);
        }
    };
    sonde::mpi::fetch_and_op const fetch{s.window,    s.target, s.memory.bytes(), s.memory.bytes().last(65536),
                                         MPI_INT64_T, MPI_SUM};
    return compare(s, "a fetch_and_op and a flush", much,
                   sonde::rma{sonde::mpi::flush{s.window, s.target}, s.who, 1, fetch}, by_hand);
}

int compare() {
    setup s;
    return put_and_flush(s, 8, {500, 200}) | put_and_flush(s, 65536, {200, 20}) | put_between_fences(s, {200, 20}) |
           fetch_and_flush(s, {500, 100});
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return compare(); });
}
