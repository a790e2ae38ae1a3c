// SPDX-License-Identifier: BSL-1.0

// named_ranks [RECORDS [PROGRAMS]]: the records of healthy exchanges in which a rank is named a straggler, of RECORDS;
// and the programs in which a scope of a probe names the rank whose work takes twice as long, of PROGRAMS. Quiet, or
// beside other load of the machine.

#include "limit.hpp"
#include "pairs.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/measure.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Exchanges of an application in which all ranks do the same, of 8 bytes and of 64 KiB.
class exchanges {
public:
    explicit exchanges(sonde::mpi::group const& world) : world_{world} {}

    static constexpr std::size_t kinds = 4;
    void operator()(std::size_t kind) {
        auto const n = kind % 2 == 0 ? 1 : 8192;
        if (kind < 2) {
            auto const ranks = world_.size(), right = (world_.rank() + 1) % ranks;
            MPI_Sendrecv(out_.data(), n, MPI_DOUBLE, right, 0, in_.data(), n, MPI_DOUBLE,
                         (world_.rank() + ranks - 1) % ranks, 0, world_.comm(), MPI_STATUS_IGNORE);
        } else {
            MPI_Allreduce(out_.data(), in_.data(), n, MPI_DOUBLE, MPI_SUM, world_.comm());
        }
    }

private:
    sonde::mpi::group const& world_;
    std::vector<double> out_ = std::vector<double>(8192, 1.0), in_ = std::vector<double>(8192);
};

/// Number of records with a straggler, of exchanges in which no rank is slower than another. The plan is that of
/// `mpi::measure`, for at most a tenth of a second.
std::size_t false_alarms(sonde::mpi::group& world, std::size_t records) {
    exchanges all{world};
    auto const rule = sonde::relative_error{0.01} || sonde::time_budget{sonde::seconds{0.1}};
    auto const plan = sonde::mpi::interactive_plan().until(rule);
    std::size_t alarms = 0;
    for (std::size_t i = 0; i != records; ++i) {
        auto const kind = i % exchanges::kinds;
        auto const r = sonde::run(
            world, plan, [&] { all(kind); }, "exchange " + std::to_string(kind));
        alarms += !r.stragglers.empty();
    }
    return alarms;
}

/// A program of 100 steps of work and an exchange. The scope of the work, on all ranks. Work takes 0.2 ms, and
/// `factor` times as long on the last rank.
sonde::scope_record work_of(sonde::mpi::group& world, double factor) {
    exchanges all{world};
    sonde::probe probe;
    auto& work = probe.scope("work");
    auto const slow = world.rank() + 1 == world.size() ? factor : 1;
    double x = 1;
    for (int step = 0; step != 100; ++step) {
        {
            auto const pass = work.enter();
            for (int i = 0; i < static_cast<int>(slow * 100'000); ++i) x = 0.5 * x + 1;
            sonde::do_not_optimize(x);
        }
        all(1);
    }
    return sonde::collect(world, probe).front();
}

int judge_all(std::size_t records, std::size_t programs) {
    sonde::mpi::group world{MPI_COMM_WORLD};
    auto const alarms = false_alarms(world, records);
    std::size_t found = 0, unplanted = 0;
    for (std::size_t i = 0; i != programs; ++i) {
        found += sonde::slow_rank(work_of(world, 2)) == world.size() - 1;
        unplanted += sonde::slow_rank(work_of(world, 1)).has_value();
    }
    if (world.rank() != 0) return 0;
    std::printf("stragglers in %zu of %zu records of healthy exchanges, %d ranks%s\n", alarms, records, world.size(),
                world.oversubscribed() ? ", oversubscribed" : "");
    std::printf("a rank of twice the work named in %zu of %zu programs; of equal work, a rank named in %zu of %zu\n",
                found, programs, unplanted, programs);
    auto const share = [](std::size_t n, std::size_t of) { return of == 0 ? 0 : double(n) / double(of); };
    return report("records of healthy exchanges with a straggler", share(alarms, records), 0.01) |
           report("programs whose slow rank is not named", share(programs - found, programs), 0.05);
}

} // namespace

int main(int argc, char** argv) {
    auto const count = [&](int i, std::size_t otherwise) {
        return argc > i ? static_cast<std::size_t>(std::atoll(argv[i])) : otherwise;
    };
    return run_benchmark(argc, argv, [&] { return judge_all(count(1, 400), count(2, 20)); });
}
