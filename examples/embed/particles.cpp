// SPDX-License-Identifier: BSL-1.0

// Particles on a ring that repel each other, written with Boost.MPI. It compares three ways to send its objects while
// it runs, and continues with the fastest.

#include "particles/domain.hpp"
#include "particles/options.hpp"
#include "particles/print.hpp"
#include "particles/tune.hpp"
#include "particles/ways.hpp"

#include <sonde/mpi/error.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <variant>

namespace {

using namespace particles;

/// The next steps, at most `steps_between_rebuilds`, from one rebuild to the next.
void advance_by(domain& d, any_way& way, int steps) {
    d.rebuild();
    std::visit(
        [&](auto& w) {
            w.prepare(d.halo());
            for (; steps != 0; --steps) {
                d.fill_halo();
                w.exchange(d.halo());
                d.move();
            }
        },
        way);
}

int simulate(options const& o, boost::mpi::communicator const& world) {
    auto const prints = world.rank() == 0;
    domain d{{world}, static_cast<std::size_t>(o.particles), o.reach};
    auto const before = d.sums();
    if (prints)
        std::printf("%lld particles on %d %s, %d steps\n", static_cast<long long>(before.particles), world.size(),
                    world.size() == 1 ? "rank" : "ranks", o.steps);

    auto ways = all_ways(d.ring());
    auto left_to_do = o.steps;
    auto const some = [&] { return std::min(domain::steps_between_rebuilds, left_to_do); };
    for (auto& way : ways) { // some steps in each way, so that the check at the end covers all of them
        auto const n = some();
        advance_by(d, way, n);
        left_to_do -= n;
    }
    d.rebuild();
    auto const found = tune(d, ways);
    if (prints) print(found, ways, d.halo());
    for (; left_to_do != 0; left_to_do -= some()) advance_by(d, ways[found.fastest], some());
    d.rebuild();
    return conserved(before, d.sums(), o.steps, prints) ? 0 : 1;
}

/// All ranks have the same arguments and return the same status; rank 0 prints.
int run(int argc, char** argv, boost::mpi::communicator const& world) {
    try {
        auto const o = parse(argc, argv);
        if (!o.help) return simulate(o, world);
        if (world.rank() == 0) std::fputs(usage, stdout);
        return 0;
    } catch (std::invalid_argument const& e) {
        if (world.rank() == 0)
            std::fprintf(stderr, "particles: %s; particles --help says what is accepted\n", e.what());
        return 2;
    }
}

} // namespace

int main(int argc, char** argv) {
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    return sonde::mpi::abort_on_exception(world, [&] { return run(argc, argv, world); });
}
