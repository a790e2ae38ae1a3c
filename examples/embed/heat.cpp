// SPDX-License-Identifier: BSL-1.0

// Solver of the heat equation on any number of ranks. It compares three implementations of its halo exchange while it
// runs, and continues with the fastest; or it uses one of them from the begin and measures nothing.

#include "application.hpp"
#include "heat/field.hpp"
#include "heat/halos.hpp"
#include "heat/heat_measurement.hpp"
#include "heat/solver.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using namespace heat;

constexpr auto usage =
    "usage: heat [--grid COLUMNSxROWS] [--steps N] [--time-step T] [--exchange NAME] [--timeline FILE]\n"
    "            [--monitor FILE] [--waiting FILE] [--help]\n"
    "  --grid       number of cells between the walls of the unit square (default 1024x768)\n"
    "  --steps      number of time steps, 1 or more (default 200)\n"
    "  --time-step  above 0 and at most the limit of stability (default nine tenths of the limit)\n"
    "  --exchange   packed, collective or derived: use this halo exchange without a measurement (default: the "
    "fastest)\n"
    "  --timeline   file for the time steps and messages of all ranks; view it with https://ui.perfetto.dev\n"
    "  --monitor    file for the node exporter of Prometheus, with live figures, on each node (.prom)\n"
    "  --waiting    file for the rank that made others wait, with its steps\n";

struct options {
    heat::grid grid{};
    int steps = 200;
    double time_step = 0;                  // 0: nine tenths of the limit of stability
    std::optional<std::size_t> exchange{}; // index of a halo exchange; none: the fastest
    std::string timeline{};                // path; empty: no timeline
    std::string monitor{};                 // path; empty: no monitor
    std::string waiting{};                 // path; empty: not written
};

/// The options, or std::nullopt for --help. Throws std::invalid_argument for an invalid command line.
std::optional<options> parse(int argc, char const* const* argv) {
    options o;
    auto const set_path = [](std::string& path) {
        return [&path](std::string_view text) {
            path = text;
            return !text.empty();
        };
    };
    auto const asks_for_help =
        !embed::read_options(argc, argv,
                             {{"--grid", embed::columns_and_rows(o.grid.columns, o.grid.rows)},
                              {"--steps", embed::number(o.steps, 1, 1'000'000'000)},
                              {"--time-step", embed::number(o.time_step, 1e-15, 1.0)},
                              {"--exchange", embed::one_of<std::optional<std::size_t>>( // in the order of all_halos
                                                 o.exchange, {{"packed", 0}, {"collective", 1}, {"derived", 2}})},
                              {"--timeline", {set_path(o.timeline), "the path of a file"}},
                              {"--monitor", {set_path(o.monitor), "the path of a file"}},
                              {"--waiting", {set_path(o.waiting), "the path of a file"}}});
    return asks_for_help ? std::nullopt : std::optional{o};
}

/// The requested time step, or a stable one. Throws std::invalid_argument if the requested time step is unstable.
double time_step_of(options const& o) {
    auto const limit = stable_time_step(o.grid);
    if (o.time_step == 0) return 0.9 * limit;
    if (o.time_step > limit)
        throw std::invalid_argument{"--time-step: above the limit of stability on this grid, " + embed::text_of(limit)};
    return o.time_step;
}

double microseconds(sonde::seconds t) { return t.count() * 1e6; }

void print_times(char const* name, sonde::record const& r, sonde::record const& reference) {
    std::printf("  %-31s%9.2f  %-18s", name, microseconds(sonde::median(r)),
                embed::interval_text(sonde::median_interval(r), microseconds).c_str());
    if (r.total.bytes > 0)
        std::printf("%7.3f%10.0f %%", sonde::bandwidth(r) / 1e9,
                    100 * sonde::bandwidth(r) / sonde::bandwidth(reference));
    else std::printf("%7s%12s", "-", "-");
}

void print_outcome(sonde::comparison const& halos, std::size_t i) {
    auto const as_is = [](double factor) { return factor; };
    std::printf("%9.2f  %-14s%s\n", sonde::speedup(halos, i),
                embed::interval_text(sonde::speedup_interval(halos, i), as_is).c_str(),
                i == 0 ? "(base)" : sonde::outcome_text(halos, i).c_str());
}

/// Print a row for each halo exchange and one for the reference.
void print(tuning const& t, std::vector<any_halo> const& halos) {
    auto const& reference = t.reference;
    std::printf("\nhalo exchange of this run: %zu bytes in %zu messages; %zu rounds\n", reference.total.bytes,
                reference.total.messages, reference.stop.samples);
    std::printf("  %-31s%9s  %-18s%7s%12s%9s  %-14s%s\n", "exchange", "median us", "95 % interval", "GB/s",
                "efficiency", "speed-up", "95 % interval", "outcome");
    for (std::size_t i = 0; i != halos.size(); ++i) {
        print_times(name(halos[i]), t.halos.records[i], reference);
        print_outcome(t.halos, i);
    }
    print_times(reference_exchange::name, reference, reference);
    std::printf("\n  used from now on: %s\n\n", name(halos[t.fastest]));
}

void advance_by(field& u, field& next, weights w, int steps, any_halo& halo, step_scopes& scopes) {
    std::visit([&](auto& h) { advance(u, next, w, steps, h, scopes); }, halo);
}

/// True if the solution is that of a serial run. Rank 0 of the decomposition compares; the other ranks return true.
bool agrees(decomposition const& part, field const& u, weights w, int steps) {
    auto const all = collect(part, u);
    if (part.rank() != 0) return true;
    auto const d = difference(all, solve_serially(part.whole(), w, steps));
    // Both make the same operations on the same numbers, except for contractions by the compiler: one rounding a step.
    auto const is_equal = d <= 1e-15 * steps;
    std::printf("largest difference from the serial solution: %g (%s)\n", d, is_equal ? "equal" : "WRONG");
    return is_equal;
}

int solve(options const& o) {
    auto const dt = time_step_of(o);
    auto const w = weights_of(o.grid, dt);
    decomposition const part{MPI_COMM_WORLD, o.grid};
    step_scopes scopes{part.neighbors()};
    std::optional<recording> timeline;
    if (!o.timeline.empty()) timeline.emplace(part, o.timeline, scopes);
    // [monitor]
    std::optional<sonde::monitor> monitor; // does not communicate
    if (!o.monitor.empty()) scopes.show_in(monitor.emplace(sonde::mpi::group{part.comm()}, o.monitor));
    // [/monitor]
    field u{part.rows().count, part.columns().count}, next{u.rows(), u.columns()};
    set_initial_temperatures(u, o.grid, part.rows(), part.columns());
    if (part.rank() == 0)
        std::printf("%d x %d cells on %d x %d ranks, %d steps of %.3g (stable up to %.3g)\n", o.grid.columns,
                    o.grid.rows, part.dims()[1], part.dims()[0], o.steps, dt, stable_time_step(o.grid));

    auto halos = all_halos(part, u);
    auto steps_left = o.steps;
    auto const advance = [&](int steps, any_halo& halo) {
        advance_by(u, next, w, steps, halo, scopes);
        steps_left -= steps;
    };
    auto used = o.exchange.value_or(0);
    if (!o.exchange) {
        for (auto& halo : halos) // some steps with each exchange, so that the check at the end covers all of them
            advance(std::min(10, steps_left), halo);
        auto const found = tune(part, halos, u, next);
        if (part.rank() == 0) print(found, halos);
        used = found.fastest;
    }
    advance(steps_left, halos[used]);
    if (timeline) timeline->write();
    if (!o.waiting.empty()) scopes.write_waiting(part, o.waiting);
    return agrees(part, u, w, o.steps) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = embed::run(
        {"heat", usage, MPI_COMM_WORLD}, [&] { return parse(argc, argv); }, solve);
    MPI_Finalize();
    return status;
}
