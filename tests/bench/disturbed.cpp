// SPDX-License-Identifier: BSL-1.0

// The change of figures while another thread takes one core for 5 % of the time, and while a rank is stopped for a
// second; within one launch, because launches differ by more.

#include "limit.hpp"
#include "pairs.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// Rank 0 keeps the first core busy for 5 ms of every 100 during the lifetime.
class busy_core {
public:
    explicit busy_core(sonde::mpi::group& world) : stop_{world.rank() != 0}, busy_{[this] { disturb(); }} {}
    ~busy_core() {
        stop_ = true;
        busy_.join();
    }

private:
    void disturb() {
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(0, &first);
        sched_setaffinity(0, sizeof first, &first); // this thread alone
        for (auto begin = sonde::steady_clock::now(); !stop_; begin += 100ms) {
            while (sonde::steady_clock::now() < begin + 5ms) {
            }
            std::this_thread::sleep_until(begin + 100ms);
        }
    }

    std::atomic<bool> stop_;
    std::thread busy_;
};

/// Rank 0 stops rank 1 for a second. Collective over the group.
struct stopped_rank {
    explicit stopped_rank(sonde::mpi::group& world) {
        std::array<double, 1> process{world.rank() == 1 ? static_cast<double>(getpid()) : 0};
        world.all_reduce(process, sonde::reduction::max);
        auto const number = std::to_string(static_cast<long>(process[0]));
        auto const command = "(sleep 0.2; kill -STOP " + number + "; sleep 1; kill -CONT " + number + ") &";
        if (world.rank() == 0 && std::system(command.c_str()) != 0) MPI_Abort(world.comm(), 1);
    }
};

struct moves {
    std::vector<sonde::seconds> median, mean; // ratios, in the type that statistics take
};

/// Measures quiet and disturbed alternately; every rank has every record.
template <class Disturbance>
moves measure(sonde::mpi::group& world, auto& pattern, int pairs_of_runs, sonde::seconds each) {
    auto const plan = sonde::plan<>{}.warmup(1000).batch(sonde::by_timer).until(sonde::time_budget{each});
    moves found;
    for (int pair = 0; pair != pairs_of_runs; ++pair) {
        auto const quiet = sonde::run(world, plan, pattern);
        Disturbance const on{world};
        auto const disturbed = sonde::run(world, plan, pattern);
        found.median.emplace_back(sonde::median(disturbed) / sonde::median(quiet));
        found.mean.emplace_back(sonde::mean(disturbed) / sonde::mean(quiet));
    }
    return found;
}

int judge_moves(sonde::mpi::group& world, std::string const& what, moves const& found) {
    auto const percent = [](std::vector<sonde::seconds> const& ratios, double q) {
        return 100 * (sonde::quantile(ratios, q).count() - 1);
    };
    if (world.rank() != 0) return 0;
    auto const median = percent(found.median, 0.5);
    std::printf("%s: median moves by %+.1f %% (%+.1f to %+.1f), mean by %+.1f %% (%+.1f to %+.1f)\n", what.c_str(),
                median, percent(found.median, 0), percent(found.median, 1), percent(found.mean, 0.5),
                percent(found.mean, 0), percent(found.mean, 1));
    return report(("% by which the median of " + what + " moves").c_str(), median < 0 ? -median : median, 5);
}

int judge_all() {
    sonde::mpi::group world{MPI_COMM_WORLD};
    auto const pair = sonde::pair_of(world.rank(), 1);
    sonde::host_allocation const memory{16};
    sonde::slice const out{memory.bytes().first(8)}, in{memory.bytes().last(8)};
    sonde::ping_pong exchange{sonde::mpi::link{world, pair.peer}, pair.role, out, in};
    sonde::mpi::blocking sum{sonde::mpi::allreduce{world, {MPI_DOUBLE, 1}, MPI_SUM}, out, in};
    auto worst = 0;
    auto const judge = [&](std::string const& what, auto& pattern) {
        worst |= judge_moves(world, what + " beside a busy loop", measure<busy_core>(world, pattern, 15, 500ms));
        worst |= judge_moves(world, what + " with a stopped rank", measure<stopped_rank>(world, pattern, 7, 1500ms));
    };
    judge("a ping-pong of 8 bytes", exchange);
    judge("an allreduce of 8 bytes", sum);
    return worst;
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return judge_all(); });
}
