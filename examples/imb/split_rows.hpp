// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "beside_work.hpp"
#include "collective_measure.hpp"
#include "collective_table.hpp"

#include <sonde/run.hpp>

#include <functional>
#include <string>
#include <vector>

namespace imb {

// Collectives whose begin and end are apart. `Style` says in which way:
//     Style::letter                      among the forms of a collective
//     Style::name(collective) -> string
//     Style::by_default(collective)
//     Style::on(kind, setting)           -> pattern, a sonde::NonblockingOperation
//     Style::defects(kind, setting)

/// None for a barrier, which moves nothing.
template <class Style, mpi::CollectiveOperation K>
std::function<double()> check_of(K const& kind, setting& s) {
    if constexpr (is_barrier<K>) return {};
    else return [&s, kind] { return Style::defects(kind, s); };
}

/// X_pure: begin and end follow each other.
template <class Style>
struct pure {
    static constexpr char letter = Style::letter;

    static benchmark describe(collective const& of) {
        auto row = described(of);
        row.name = Style::name(of) + "_pure";
        row.by_default = false;
        return row;
    }
    template <class MakeKind>
    static work make(MakeKind make_kind, setting& s) {
        auto const kind = make_kind(recipe_of(s));
        auto const measure = [&s, kind](std::size_t n) -> outcome {
            auto split = Style::on(kind, s);
            return {sonde::run(s.group, plan_for(kind, s, n), split, s.point()), {}, {}};
        };
        return {measure, check_of<Style>(kind, s)};
    }
};

/// X: alone, and with work in between that lasts as long as the rank's mean was.
template <class Style>
struct beside {
    static constexpr char letter = Style::letter;

    static benchmark describe(collective const& of) {
        auto row = described(of);
        row.name = Style::name(of);
        row.shows = of.kind == family::synchronization ? columns::sync_overlap : columns::overlap;
        row.by_default = Style::by_default(of);
        return row;
    }
    template <class MakeKind>
    static work make(MakeKind make_kind, setting& s) {
        auto const kind = make_kind(recipe_of(s));
        auto const measure = [&s, kind](std::size_t n) {
            auto split = Style::on(kind, s);
            return measure_beside_work(s, plan_for(kind, s, n), split);
        };
        return {measure, check_of<Style>(kind, s)};
    }
};

/// The rows of a program: those with work first.
template <class Style>
std::vector<benchmark> split_rows() {
    auto rows = rows_of<beside<Style>>();
    auto const alone = rows_of<pure<Style>>();
    rows.insert(rows.end(), alone.begin(), alone.end());
    return rows;
}

} // namespace imb
