// SPDX-License-Identifier: BSL-1.0
#include "onesided/one_sided.hpp"
#include "onesided/rows.hpp"
#include "onesided/truly_passive.hpp"
#include "rma_rows.hpp"

namespace imb {

namespace {

template <class Operation, class Epoch>
benchmark row_of(char const* name, access const& how, Operation operation, Epoch epoch) {
    auto row = pair_row(name, one_sided(how, operation, epoch));
    row.modes = {mode::non_aggregate, mode::aggregate};
    return row;
}

constexpr access puts{.leaves = effect::puts, .lanes = lanes::first_to_second};
constexpr access gets{.leaves = effect::gets, .lanes = lanes::first_to_second};
constexpr access puts_both{.leaves = effect::puts, .lanes = lanes::each_to_other, .all_measure = true};
constexpr access gets_both{.leaves = effect::gets, .lanes = lanes::each_to_other, .all_measure = true};

} // namespace

benchmark truly_passive_row() {
    auto row = pair_row("Truly_passive_put", truly_passive(puts));
    row.shows = columns::passive_overlap;
    row.comment = {"The benchmark measures execution time of MPI_Put for 2 cases:",
                   "1) The target is waiting in MPI_Barrier call (t_pure value)",
                   "2) The target performs computation and then enters MPI_Barrier routine (t_ovrl value)"};
    return row;
}

std::vector<benchmark> rma_pair_rows() {
    using namespace operations;
    using namespace epochs;
    return {row_of("Unidir_put", puts, put, flush),      row_of("Bidir_put", puts_both, put, flush),
            row_of("Unidir_get", gets, get, flush),      row_of("Bidir_get", gets_both, get, flush),
            row_of("Put_local", puts, put, flush_local), not_by_default(row_of("Get_local", gets, get, flush_local))};
}

} // namespace imb
