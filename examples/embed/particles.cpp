// SPDX-License-Identifier: BSL-1.0

// Particles on a ring that repel each other, written with Boost.MPI. It compares three ways to send its objects while
// it runs, and continues with the fastest.

#include "application.hpp"
#include "particles/domain.hpp"
#include "particles/particles_measurement.hpp"
#include "particles/ways.hpp"

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
    auto const asks_for_help = !embed::read_options(
        argc, argv,
        {{"--particles", [&](embed::option_value v) { o.particles = embed::number(v, 1, 1'000'000); }},
         {"--reach", [&](embed::option_value v) { o.reach = embed::number(v, 1e-6, 0.5); }},
         {"--steps", [&](embed::option_value v) { o.steps = embed::number(v, 1, 1'000'000'000); }}});
    return asks_for_help ? std::nullopt : std::optional{o};
}

void print_times(char const* name, sonde::record const& r) {
    auto const us = [](sonde::seconds t) { return t.count() * 1e6; };
    std::printf("  %-22s%9.2f  ", name, us(sonde::median(r)));
    auto const interval = sonde::median_interval(r);
    if (interval) std::printf("%8.2f to %8.2f", us(interval->low), us(interval->high));
    else std::printf("%20s", "-");
    std::printf("%9.1f\n", sonde::bandwidth(r) / 1e6);
}

/// Print the outcome of an alternative to serialized objects as a sentence.
void print_outcome(char const* name, sonde::comparison const& ways, std::size_t i) {
    auto const interval = sonde::speedup_interval(ways, i);
    auto const outcome = sonde::classify(ways, i);
    if (!interval) std::printf("  %s: %s\n", name, sonde::outcome_text(ways, i).c_str());
    else if (outcome == sonde::outcome::undecided)
        std::printf("  %s: no difference from %s is shown by %zu rounds\n", name, serialized::name,
                    ways.records[i].stop.samples);
    else if (outcome == sonde::outcome::faster)
        std::printf("  %s: %.2f times as fast as %s (%.2f to %.2f)\n", name, sonde::speedup(ways, i), serialized::name,
                    interval->low, interval->high);
    else
        std::printf("  %s: takes %.2f times as long as %s (%.2f to %.2f)\n", name, 1 / sonde::speedup(ways, i),
                    serialized::name, 1 / interval->high, 1 / interval->low);
}

/// Print a row and a sentence for each way.
void print(tuning const& t, std::vector<any_way> const& ways, halo const& of_rank_0) {
    std::printf("\nexchange with both neighbors; rank 0 sends %zu and %zu particles; %zu rounds\n",
                of_rank_0.out[left].all.size(), of_rank_0.out[right].all.size(), t.ways.records[0].stop.samples);
    std::printf("  %-22s%9s  %20s%9s\n", "way", "median us", "95 % interval", "MB/s");
    for (std::size_t i = 0; i != ways.size(); ++i) print_times(name(ways[i]), t.ways.records[i]);
    for (std::size_t i = 1; i != ways.size(); ++i) print_outcome(name(ways[i]), t.ways, i);
    std::printf("  used from now on: %s\n\n", name(ways[t.fastest]));
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
    if (prints) print(found, ways, d.halo());
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
