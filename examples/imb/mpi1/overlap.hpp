// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/imb_work.hpp"
#include "imb/mpi1/collectives.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace imb {

// Collectives in a call mode with a separate start and completion. `Mode` is one of
//
//     Mode::mode                          call_modes
//     Mode::name(collective) -> string    of the benchmark
//     Mode::by_default(collective)        true if the benchmark with work runs by default
//     Mode::pattern(op, setting)          -> sonde::NonblockingOperation
//     Mode::defects(collective, setting)  -> function<double()>

/// Benchmarks of a call mode. `pure` (X_pure): the completion follows the start. `overlap` (X): the communication
/// alone, then with work between start and completion.
enum class overlap_part : unsigned char { pure, overlap };

template <class Mode>
result measure_part(collective const& of, setting& s, std::size_t n, overlap_part part) {
    return suite::with_operation(of.operation, recipe_of(s), [&](auto const& op) -> result {
        auto pattern = Mode::pattern(op, s);
        if (part == overlap_part::overlap) return measure_with_work(s, plan_of(of, s, n), pattern);
        return {imb::run(s.group, plan_of(of, s, n), pattern, s.point())};
    });
}

template <class Mode>
benchmark row_of_part(collective const& of, overlap_part part) {
    auto row = row_of(of);
    row.name = Mode::name(of);
    if (part == overlap_part::overlap) {
        row.shows = of.is_barrier() ? columns::sync_overlap : columns::overlap;
        row.by_default = Mode::by_default(of);
    } else {
        row.name += "_pure";
        row.by_default = false;
    }
    row.make = [&of, part](setting& s) -> work {
        return {[&of, &s, part](std::size_t n) { return measure_part<Mode>(of, s, n, part); }, Mode::defects(of, s)};
    };
    return row;
}

/// Rows of a component: those with work, then those without.
template <class Mode>
std::vector<benchmark> overlap_rows() {
    std::vector<benchmark> rows;
    for (auto const part : {overlap_part::overlap, overlap_part::pure})
        for (auto& row : rows_of(Mode::mode, [part](collective const& of) { return row_of_part<Mode>(of, part); }))
            rows.push_back(std::move(row));
    return rows;
}

} // namespace imb
