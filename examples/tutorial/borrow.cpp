// SPDX-License-Identifier: BSL-1.0

// How good is the application's exchange? Beside it stands what the library reaches with the same bytes on the same
// arrays, which are lent to the measurement and come back as they were.

#include "ring.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

// [borrow]
/// Pairs of ranks exchange the application's own arrays, both ways at once.
sonde::record between_pairs(sonde::mpi::group& ranks, ring& app) {
    auto const out = sonde::borrow(app.mine());
    auto const in = sonde::borrow(app.theirs()); // the pattern writes here: put back at the end of this function
    auto const seat = sonde::pair_up(ranks.rank(), ranks.size() / 2);
    auto const who = seat.peer < 0 ? sonde::role::idle : sonde::role::initiator; // both sides of a pair are timed
    auto const bytes = app.mine().size_bytes();
    return sonde::run(ranks, sonde::plan<>{},
                      sonde::bidirectional{sonde::mpi::async_link{ranks, seat.peer}, who, 1, out.first(bytes),
                                           in.first(bytes), sonde::directions::sent});
}
// [/borrow]

void compare(ring& app) {
    sonde::mpi::group ranks{app.comm()};
    // [compare]
    auto const own = sonde::run(ranks, sonde::plan<>{}, sonde::moving({.bytes = app.bytes()}, [&] { app.exchange(); }));
    auto const pairs = between_pairs(ranks, app);
    // Per rank that counts, because with an odd number of ranks one has no partner.
    auto const rate = [](sonde::record const& r) { return sonde::bandwidth(r) / r.initiators; };
    if (ranks.rank() == 0 && pairs.initiators != 0)
        std::printf("the ring reaches %.0f %% of what pairs reach\n", 100 * rate(own) / rate(pairs));
    // [/compare]
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    app.exchange();
    std::vector<double> const before{app.theirs().begin(), app.theirs().end()};
    compare(app);
    auto const intact = std::equal(before.begin(), before.end(), app.theirs().begin()) && app.right();
    MPI_Finalize();
    return intact ? 0 : 1;
}
