// SPDX-License-Identifier: BSL-1.0
#include "ext.hpp"

#include "onesided/one_sided.hpp"
#include "onesided/rows.hpp"
#include "onesided/window_life.hpp"

#include <utility>

namespace imb {

namespace {

std::vector<mode> const both{mode::aggregate, mode::non_aggregate};

benchmark window_row() {
    auto row = one_sided_row("Window", family::collective, columns::range, life_of_window);
    row.disjoint = false;
    row.counts_nonaggregate = true;
    return row;
}

/// Both ranks wait in the fences, so that the times of both count.
template <class Operation>
benchmark fenced_row(char const* name, effect leaves, lanes_of lanes, Operation operation) {
    auto row =
        pair_row(name, one_sided({.leaves = leaves, .lanes = lanes, .all_measure = true}, operation, epochs::fence));
    row.modes = both;
    return row;
}

benchmark accumulate_row() {
    access const how{.leaves = effect::adds, .lanes = lanes::all_to_first, .all_measure = true, .clock_each = true};
    auto row = one_sided_row("Accumulate", family::collective, columns::range,
                             one_sided(how, operations::accumulate, epochs::fences));
    row.modes = both;
    row.reduces = true;
    return row;
}

} // namespace

component ext() {
    component about{"IMB-EXT", "MPI-2 part", {}};
    about.tests = {window_row(),
                   fenced_row("Unidir_Get", effect::gets, lanes::second_to_first, operations::get),
                   fenced_row("Unidir_Put", effect::puts, lanes::first_to_second, operations::put),
                   fenced_row("Bidir_Get", effect::gets, lanes::each_to_other, operations::get),
                   fenced_row("Bidir_Put", effect::puts, lanes::each_to_other, operations::put),
                   accumulate_row()};
    about.lacks = lacking({"root_shift", "sync", "zero_size"});
    about.windows = true;
    about.smallest_unit = 4;
    return about;
}

} // namespace imb
