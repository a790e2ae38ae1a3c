// SPDX-License-Identifier: BSL-1.0

// A stopping rule of one's own: measure until the median has settled.

#include "ring.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

// [rule]
/// Stops when a block's median is within this part of the block's before; looks as the series grows by a quarter.
class settled {
public:
    explicit settled(double within) : within_{within} {}

    std::size_t next(std::size_t n) const { return n / 4 + 30; }
    sonde::verdict operator()(sonde::look const& l) {
        auto const before = median_;
        median_ = sonde::median(l.block);
        auto const change = median_ - before;
        return {change <= within_ * before && -change <= within_ * before, sonde::stop_reason::other};
    }

private:
    double within_;
    sonde::seconds median_{}; // none yet: nothing is within a part of it
};
static_assert(sonde::StoppingRule<settled>);
// [/rule]

sonde::record measure(ring& app) {
    sonde::mpi::group ranks{app.comm()};
    // [use]
    auto const plan = sonde::plan<>{}.until(settled{0.02} || sonde::samples{5000});
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    if (ranks.rank() == 0) std::printf("%zu samples, stopped by: %s\n", r.stopped.samples, name(r.stopped.reason));
    // [/use]
    return r;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    auto const n = measure(app).stopped.samples;
    auto const right = app.right() && 30 < n && n <= 5000; // one block cannot have settled
    MPI_Finalize();
    return right ? 0 : 1;
}
