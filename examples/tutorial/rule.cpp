// SPDX-License-Identifier: BSL-1.0

// A user-defined stopping rule: measure until the median is stable.

#include "ring.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

// [rule]
/// Stop when the median of a block of samples differs from that of the previous block by at most `tolerance` of it.
class stable_median {
public:
    explicit stable_median(double tolerance) : tolerance_{tolerance} {}

    /// After n samples: the number of samples in the next block.
    std::size_t next(std::size_t n) const { return n / 4 + 30; }
    /// After each block: stop or not.
    sonde::decision operator()(sonde::progress const& p) {
        auto const previous = median_;
        median_ = sonde::median(p.block);
        auto const change = median_ < previous ? previous - median_ : median_ - previous;
        return {change <= tolerance_ * previous, sonde::stop_reason::other};
    }

private:
    double tolerance_;
    sonde::seconds median_{}; // 0 before the first block, so that the first block never stops the series
};
static_assert(sonde::StoppingRule<stable_median>);
// [/rule]

sonde::record measure(ring& app) {
    sonde::mpi::group ranks{app.comm()};
    // [use]
    auto const plan = sonde::plan<>{}.until(stable_median{0.02} || sonde::samples{5000});
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    if (ranks.rank() == 0) std::printf("%zu samples, stopped by: %s\n", r.stop.samples, to_string(r.stop.reason));
    // [/use]
    return r;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    auto const n = measure(app).stop.samples;
    auto const correct = app.correct() && 30 < n && n <= 5000; // the first block never stops the series
    MPI_Finalize();
    return correct ? 0 : 1;
}
