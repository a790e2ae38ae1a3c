// SPDX-License-Identifier: BSL-1.0

// The exchange of an application beside an exchange between pairs of ranks with the same arrays, whose contents are
// restored afterwards.

#include "ring.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstdio>

#include <algorithm>
#include <vector>

// [borrow]
/// Pairs of ranks exchange the arrays of the application, in both directions at the same time.
sonde::record measure_pairs(sonde::mpi::group& ranks, ring& app) {
    auto const out = sonde::borrow(app.mine());
    auto const in = sonde::borrow(app.theirs()); // the pattern overwrites it; its destructor restores the contents
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    auto const my_role = pair.peer < 0 ? sonde::role::idle : sonde::role::initiator; // both ranks of a pair are timed
    return sonde::run(ranks, sonde::plan<>{},
                      sonde::bidirectional{sonde::mpi::async_link{ranks, pair.peer}, my_role, 1, out.first(app.bytes()),
                                           in.first(app.bytes()), sonde::directions::sent});
}
// [/borrow]

void compare(ring& app) {
    sonde::mpi::group ranks{app.comm()};
    // [compare]
    auto const own =
        sonde::run(ranks, sonde::plan<>{}, sonde::with_traffic({.bytes = app.bytes()}, [&] { app.exchange(); }));
    auto const pairs = measure_pairs(ranks, app);
    // Per initiator, because with an odd number of ranks one rank is idle in the pairs.
    auto const per_rank = [](sonde::record const& r) { return sonde::bandwidth(r) / r.initiators; };
    if (ranks.rank() == 0 && pairs.initiators != 0)
        std::printf("ring %.0f MB/s, pairs %.0f MB/s per rank: %.0f %%\n", per_rank(own) / 1e6, per_rank(pairs) / 1e6,
                    100 * per_rank(own) / per_rank(pairs));
    // [/compare]
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    app.exchange();
    std::vector<double> const before{app.theirs().begin(), app.theirs().end()};
    compare(app);
    auto const restored = std::equal(before.begin(), before.end(), app.theirs().begin()) && app.correct();
    MPI_Finalize();
    return restored ? 0 : 1;
}
