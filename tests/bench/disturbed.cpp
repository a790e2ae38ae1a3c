// SPDX-License-Identifier: BSL-1.0

// The change of figures while another thread takes one core for 5 % of the time, within one launch, because launches
// differ by more.

#include "limit.hpp"
#include "pairs.hpp"

#include <sonde/mpi/collectives.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// Keeps the first core busy for 5 ms of every 100 during its lifetime while rank 0 enables it.
class disturbance {
public:
    explicit disturbance(bool on) : stop_{!on}, busy_{[this] { disturb(); }} {}
    ~disturbance() {
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

struct moves {
    std::vector<sonde::seconds> median, mean; // ratios, in the type that statistics take
};

/// Measures quiet and disturbed alternately, half a second each; every rank has every record.
moves measure(sonde::mpi::group& world, auto& pattern) {
    auto const plan = sonde::plan<>{}.warmup(1000).batch(sonde::by_timer).until(sonde::time_budget{500ms});
    moves found;
    for (int pair = 0; pair != 15; ++pair) {
        auto const quiet = sonde::run(world, plan, pattern);
        disturbance const on{world.rank() == 0};
        auto const disturbed = sonde::run(world, plan, pattern);
        found.median.emplace_back(sonde::median(disturbed) / sonde::median(quiet));
        found.mean.emplace_back(sonde::mean_of_slowest(disturbed) / sonde::mean_of_slowest(quiet));
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
    auto const first = judge_moves(world, "a ping-pong of 8 bytes", measure(world, exchange));
    return first | judge_moves(world, "an allreduce of 8 bytes", measure(world, sum));
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return judge_all(); });
}
