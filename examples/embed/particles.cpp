// SPDX-License-Identifier: BSL-1.0

// Particles on a ring that repel each other, written with Boost.MPI. It compares three ways to send its objects while
// it runs, and continues with the fastest.

#include "application.hpp"
#include "particles/domain.hpp"
#include "particles/particles_measurement.hpp"
#include "particles/ways.hpp"

#include <sonde/report/table.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <variant>
#include <vector>

namespace {

using namespace particles;

constexpr auto usage = "usage: particles [--particles N] [--reach R] [--steps N] [--help]\n"
                       "  --particles  number of particles of each rank, 1 or more (default 2000)\n"
                       "  --reach      distance at which the force between particles is 0, as a part of a rank's\n"
                       "               length (default 0.1)\n"
                       "  --steps      number of time steps, 1 or more (default 200)\n";

struct options {
    int particles = 2000; // of each rank
    double reach = 0.1;
    int steps = 200;
};

/// The options, or std::nullopt for --help. Throws std::invalid_argument for an invalid command line.
std::optional<options> parse(int argc, char const* const* argv) {
    options o;
    auto const asks_for_help = !embed::read_options(argc, argv,
                                                    {{"--particles", embed::number(o.particles, 1, 1'000'000)},
                                                     {"--reach", embed::number(o.reach, 1e-6, 0.5)},
                                                     {"--steps", embed::number(o.steps, 1, 1'000'000'000)}});
    return asks_for_help ? std::nullopt : std::optional{o};
}

void print(tuning const& t, halo const& of_rank_0) {
    std::printf("\nexchange with both neighbors; rank 0 sends %zu and %zu particles; %zu rounds\n",
                of_rank_0.out[left].all.size(), of_rank_0.out[right].all.size(), t.ways.records[0].stop.samples);
    sonde::comparison_table{stdout}(t.ways);
    std::printf("used from now on: %s\n\n", t.ways.records[t.fastest].point.name.c_str());
}

/// True if nothing was lost; rank 0 prints the sums. A ghost that is wrong on one of two ranks changes the momentum.
bool conserved(invariants const& before, invariants const& after, int steps, bool prints) {
    auto const change = std::abs(after.momentum - before.momentum);
    auto const particles_kept = after.particles == before.particles && after.sum_of_ids == before.sum_of_ids;
    auto const momentum_kept = change <= 1e-14 * (steps + 1) * after.absolute_momentum;
    if (prints) {
        std::printf("particles: %lld of %lld (%s)\n", static_cast<long long>(after.particles),
                    static_cast<long long>(before.particles), particles_kept ? "all" : "WRONG");
        std::printf("momentum: %.12g, changed by %.1e (%s)\n", after.momentum, change,
                    momentum_kept ? "rounding" : "WRONG");
    }
    return particles_kept && momentum_kept;
}

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
    if (prints) print(found, d.halo());
    for (; left_to_do != 0; left_to_do -= some()) advance_by(d, ways[found.fastest], some());
    d.rebuild();
    return conserved(before, d.sums(), o.steps, prints) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    auto const solve = [&](options const& o) { return simulate(o, world); };
    return embed::run(
        {"particles", usage, world}, [&] { return parse(argc, argv); }, solve);
}
