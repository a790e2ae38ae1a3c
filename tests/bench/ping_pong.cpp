// SPDX-License-Identifier: BSL-1.0

// The same ping-pong of 8 bytes on two ranks, by Sonde and by a loop written by hand, in turns: A B, B A, A B ...

#include "limit.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

// Batches so short that most are over before another process gets the core.
constexpr std::size_t pairs = 20, samples = 500, batch = 100;
constexpr int bytes = 8;

/// The time of an undisturbed iteration: what other processes do makes samples slower, never faster.
sonde::seconds undisturbed(std::vector<sonde::seconds> const& times) { return sonde::quantile(times, 0.1); }

/// Two ranks and a buffer, shared by both ways.
struct bench {
    sonde::mpi::group world{MPI_COMM_WORLD};
    sonde::seat seat = sonde::pair_up(world.rank(), 1);
    sonde::host_allocation memory{4096};

    sonde::seconds by_sonde();
    sonde::seconds by_hand();
    void iterate();
    sonde::seconds ratio(bool sonde_first);
};

sonde::seconds bench::by_sonde() {
    auto const buffer = memory.first(bytes);
    auto const plan = sonde::plan<>{}.warmup(batch).batch(batch).until(sonde::samples{samples});
    sonde::ping_pong pattern{sonde::mpi::link{world, seat.peer}, seat.who, buffer, buffer};
    return undisturbed(sonde::run(world, plan, pattern).series);
}

/// A batch, as one writes it: return codes are not looked at.
void bench::iterate() {
    auto* const data = memory.bytes().data();
    if (seat.who == sonde::role::initiator) {
        for (std::size_t i = 0; i < batch; ++i) {
            MPI_Send(data, bytes, MPI_BYTE, seat.peer, 0, world.comm());
            MPI_Recv(data, bytes, MPI_BYTE, seat.peer, 0, world.comm(), MPI_STATUS_IGNORE);
        }
    } else {
        for (std::size_t i = 0; i < batch; ++i) {
            MPI_Recv(data, bytes, MPI_BYTE, seat.peer, 0, world.comm(), MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, seat.peer, 0, world.comm());
        }
    }
}

sonde::seconds bench::by_hand() {
    iterate();
    MPI_Barrier(world.comm());
    std::vector<sonde::seconds> times;
    times.reserve(samples);
    for (std::size_t i = 0; i != samples; ++i) {
        auto const begin = std::chrono::steady_clock::now();
        iterate();
        times.emplace_back((std::chrono::steady_clock::now() - begin) / static_cast<double>(batch));
    }
    return undisturbed(times);
}

/// Of the time by Sonde to that by hand.
sonde::seconds bench::ratio(bool sonde_first) {
    sonde::seconds sonde_time{}, hand_time{};
    if (sonde_first) sonde_time = by_sonde();
    hand_time = by_hand();
    if (!sonde_first) sonde_time = by_sonde();
    return sonde::seconds{sonde_time / hand_time};
}

int judge(std::vector<sonde::seconds> const& ratios) {
    auto const middle = sonde::median(ratios).count();
    auto const range = sonde::median_interval(ratios).value();
    std::printf("ratio of a round trip by Sonde to one by hand: %.4f, 95 %% interval %.4f to %.4f, %zu pairs\n", middle,
                range.low.count(), range.high.count(), ratios.size());
    return report("distance of that ratio from 1", std::abs(middle - 1), 0.02);
}

int compare() {
    bench b;
    if (b.world.size() != 2) return std::puts("needs 2 ranks"), 2;
    std::vector<sonde::seconds> ratios;
    for (std::size_t i = 0; i != pairs; ++i) ratios.push_back(b.ratio(i % 2 == 0));
    return b.world.rank() == 0 ? judge(ratios) : 0;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = sonde::mpi::guarded(MPI_COMM_WORLD, compare);
    MPI_Finalize();
    return status;
}
