// SPDX-License-Identifier: BSL-1.0
#include "onesided/one_sided.hpp"
#include "onesided/rows.hpp"
#include "rma_rows.hpp"

#include <utility>

namespace imb {

namespace {

template <class Operation>
benchmark row_of(char const* name, effect leaves, Operation operation) {
    auto row = pair_row(name, one_sided({.leaves = leaves, .lanes = lanes::first_to_second}, operation, epochs::flush));
    row.modes = {mode::non_aggregate, mode::aggregate};
    row.reduces = true;
    return row;
}

benchmark one_element(benchmark row) {
    row.kind = family::single_element;
    return row;
}

/// All that is sent, compared and in the window is zero, so that every swap happens.
benchmark compare_and_swap_row() {
    auto row = one_element(row_of("Compare_and_swap", effect::swaps, operations::compare_and_swap));
    row.needs = [](std::size_t s, std::size_t) { return lengths{s, 3 * s}; };
    row.make = [make = std::move(row.make)](setting& on) {
        on.send.fill(std::byte{});
        return make(on);
    };
    row.comment = {"Uses MPI_INT data type"};
    return row;
}

} // namespace

std::vector<benchmark> rma_atomic_rows() {
    return {row_of("Accumulate", effect::adds, operations::accumulate),
            row_of("Get_accumulate", effect::fetches, operations::get_accumulate),
            one_element(row_of("Fetch_and_op", effect::fetches, operations::fetch_and_op)), compare_and_swap_row()};
}

} // namespace imb
