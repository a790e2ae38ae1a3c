// SPDX-License-Identifier: BSL-1.0
#include "onesided/one_sided.hpp"
#include "onesided/rows.hpp"
#include "rma_rows.hpp"

#include <algorithm>
#include <utility>

namespace imb {

namespace {

constexpr auto several = per_repetition::several;

/// From every rank to all others: one completion at the end of all repetitions.
constexpr access puts{
    .leaves = effect::puts, .lanes = lanes::to_all_others, .all_measure = true, .when = completion::of_all};
constexpr access gets{
    .leaves = effect::gets, .lanes = lanes::from_all_others, .all_measure = true, .when = completion::of_all};
/// From rank 0.
constexpr access puts_of_first{.leaves = effect::puts, .lanes = lanes::first_to_all_others, .when = completion::of_all};
constexpr access gets_of_first{
    .leaves = effect::gets, .lanes = lanes::first_from_all_others, .when = completion::of_all};
constexpr access puts_beside{.leaves = effect::puts, .lanes = lanes::left_and_right, .all_measure = true};
constexpr access gets_beside{.leaves = effect::gets, .lanes = lanes::right_and_left, .all_measure = true};

template <class Operation, class Epoch>
benchmark row_of(char const* name, access const& how, Operation operation, Epoch epoch) {
    return one_sided_row(name, family::collective, columns::range, one_sided<several>(how, operation, epoch));
}

/// What is got lies apart, a message of each.
benchmark of_each(benchmark row) {
    row.needs = [](std::size_t s, std::size_t ranks) { return lengths{s, std::max<std::size_t>(1, ranks - 1) * s}; };
    return row;
}
benchmark with_halves(benchmark row) {
    row.needs = [](std::size_t s, std::size_t) { return lengths{2 * s, 2 * s}; };
    return row;
}
benchmark of_first(benchmark row) {
    row.kind = family::passive;
    row.shows = columns::time_bandwidth;
    row.to_all_others = true;
    return row;
}

} // namespace

std::vector<benchmark> rma_many_rows() {
    using namespace operations;
    using namespace epochs;
    return {of_first(row_of("Put_all_local", puts_of_first, put, flush_local_all)),
            not_by_default(of_first(of_each(row_of("Get_all_local", gets_of_first, get, flush_local_all)))),
            of_first(row_of("One_put_all", puts_of_first, put, flush_all)),
            row_of("All_put_all", puts, put, flush_all),
            of_first(of_each(row_of("One_get_all", gets_of_first, get, flush_all))),
            of_each(row_of("All_get_all", gets, get, flush_all)),
            with_halves(row_of("Exchange_put", puts_beside, put, flush_neighbours)),
            with_halves(row_of("Exchange_get", gets_beside, get, flush_neighbours))};
}

} // namespace imb
