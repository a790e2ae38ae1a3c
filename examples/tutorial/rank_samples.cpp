// SPDX-License-Identifier: BSL-1.0

// The times of every rank, one of which is slow, as a page for a browser; a stopping rule that is chosen at run time.

#include "ring.hpp"

#include <sonde/drawing.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <thread>

// [work]
/// The exchange, and the work that follows it. The last rank has more work, and far more in every tenth iteration.
class step {
public:
    step(sonde::mpi::group const& ranks, ring& app) : last_{ranks.rank() + 1 == ranks.size()}, app_{app} {}
    void operator()() {
        app_.exchange();
        if (!app_.correct()) throw std::runtime_error{"the array of the left neighbor is wrong"};
        auto const of_last = ++i_ % 10 == 0 ? 500 : 150;
        std::this_thread::sleep_for(std::chrono::microseconds{last_ ? of_last : 100});
    }

private:
    bool last_;
    ring& app_;
    std::size_t i_ = 0;
};
// [/work]

// [measure]
sonde::record measure(sonde::mpi::group& ranks, ring& app, bool exact) {
    auto plan = sonde::plan<>{}
                    .synchronized(sonde::barrier_each{})
                    .until(sonde::any_rule{sonde::samples{200}})
                    .agree_on_errors()             // if the pattern throws on one rank, all ranks throw
                    .keep({.rank_samples = true}); // on rank 0; also `.on_all_ranks = true`
    if (exact) plan = plan.until(sonde::relative_error{0.01}.within(sonde::seconds{2}));
    return sonde::run(ranks, plan, step{ranks, app}, {"step", {}});
}
// [/measure]

void print(sonde::record const& r) {
    for (int rank = 0; rank != r.ranks; ++rank) {
        auto const times = sonde::samples_of(r, rank); // a span, one time for each sample of the series
        std::size_t late = 0;
        for (auto const t : times) late += t > sonde::seconds{400e-6};
        std::printf("rank %d: median %4.0f us, over 400 us in %zu of %zu samples\n", rank,
                    1e6 * sonde::median(times).count(), late, times.size());
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        ring app{MPI_COMM_WORLD, 1024};
        auto const record = measure(ranks, app, argc > 1 && argv[1] == std::string_view{"--exact"});
        auto const environment = sonde::mpi::environment_of(ranks, argc, argv); // collective
        if (ranks.rank() == 0) {
            print(record);
            sonde::html{"rank_samples.html", environment}(record); // figures need gnuplot
        }
    }
    MPI_Finalize();
}
