// SPDX-License-Identifier: BSL-1.0
#include "collective_rows.hpp"

#include "collective_measure.hpp"
#include "collective_table.hpp"
#include "reduce_local.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace imb {

namespace {

struct one_call {
    static constexpr char letter = 'b';

    static benchmark describe(collective const& of) { return described(of); }

    template <class MakeKind>
    static work make(MakeKind make_kind, setting& s) {
        auto const kind = make_kind(recipe_of(s));
        auto const measure = [&s, kind](std::size_t n) -> outcome {
            auto pattern = pattern_on<mpi::blocking>(kind, s);
            return {sonde::run(s.group, plan_for(kind, s, n), pattern, s.point()), {}, {}};
        };
        if constexpr (is_barrier<std::remove_const_t<decltype(kind)>>) return {measure, {}};
        else return {measure, [&s, kind] { return defects_of<mpi::blocking>(kind, s); }};
    }
};

/// Rows of IMB-MPI1, which has all of them, up to this one, which is there.
consteval std::ptrdiff_t rows_through(std::string_view name) {
    auto const is_it = [name](collective const& c) { return c.name == name; };
    auto const found = std::find_if(collectives.begin(), collectives.end(), is_it);
    if (found == collectives.end()) throw "no such row";
    return found - collectives.begin() + 1;
}

} // namespace

std::vector<benchmark> blocking_collectives() {
    auto rows = rows_of<one_call>();
    rows.insert(rows.begin() + rows_through("Reduce"), reduce_local_row());
    return rows;
}

} // namespace imb
