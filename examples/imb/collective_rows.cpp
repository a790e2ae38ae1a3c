// SPDX-License-Identifier: BSL-1.0
#include "collective_rows.hpp"

#include "collective_measure.hpp"
#include "collective_table.hpp"
#include "reduce_local.hpp"

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
        if constexpr (is_barrier<std::remove_const_t<decltype(kind)>>) return {measure, {}, {}};
        else return {measure, {}, [&s, kind] { return defects_of<mpi::blocking>(kind, s); }};
    }
};

} // namespace

std::vector<benchmark> blocking_collectives() {
    auto rows = rows_of<one_call>();
    auto const is_reduce = [](benchmark const& row) { return row.name == "Reduce"; };
    rows.insert(std::find_if(rows.begin(), rows.end(), is_reduce) + 1, reduce_local_row());
    return rows;
}

} // namespace imb
