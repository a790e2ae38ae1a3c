// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_work.hpp"
#include "imb/imb.hpp"
#include "imb/one_sided/measure.hpp"

#include <sonde/pattern.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace imb {

namespace {

constexpr rma_description first_to_second{.transfers = transfers::first_to_second};
constexpr rma_description both_ways{.transfers = transfers::each_to_other, .all_measure = true};

benchmark not_by_default(benchmark row) {
    row.by_default = false;
    return row;
}

// Two processes, one transfer a repetition.

template <rma_operation Op, class MakeEpoch>
benchmark two_mode_row(char const* name, rma_description const& what, MakeEpoch epoch) {
    auto row = pair_row(name, one_sided(what, code_of<Op>(epoch)));
    row.modes = {mode::non_aggregate, mode::aggregate};
    return row;
}

template <rma_operation Op>
benchmark atomic_row(char const* name) {
    auto row = two_mode_row<Op>(name, first_to_second, epochs::flush);
    row.reduces = true;
    if constexpr (moves_one_element(Op)) row.kind = family::single_element;
    return row;
}

/// All values are zero: those sent, those compared with, and those in the window. So every swap takes place.
benchmark compare_and_swap_row() {
    auto row = atomic_row<rma_operation::compare_and_swap>("Compare_and_swap");
    row.needs = [](std::size_t s, std::size_t) { return lengths{s, 3 * s}; };
    row.make = [make = std::move(row.make)](setting& s) {
        s.send.fill(std::byte{});
        return make(s);
    };
    row.comment = {"Uses MPI_INT data type"};
    return row;
}

// Transfers with all other ranks, or with both neighbors. Those with all others are completed once, at the end.

constexpr rma_description to_all{
    .transfers = transfers::to_all_others, .all_measure = true, .without_mode = completion::end_of_sample};
constexpr rma_description from_all{
    .transfers = transfers::from_all_others, .all_measure = true, .without_mode = completion::end_of_sample};
constexpr rma_description first_to_all{.transfers = transfers::first_to_all_others,
                                       .without_mode = completion::end_of_sample};
constexpr rma_description first_from_all{.transfers = transfers::first_from_all_others,
                                         .without_mode = completion::end_of_sample};
constexpr rma_description put_to_neighbors{.transfers = transfers::left_and_right, .all_measure = true};
constexpr rma_description get_from_neighbors{.transfers = transfers::right_and_left, .all_measure = true};

template <rma_operation Op, class MakeEpoch>
benchmark many_row(char const* name, rma_description const& what, MakeEpoch epoch) {
    return one_sided_row(name, family::collective, columns::range,
                         one_sided(what, code_of<Op, per_repetition::several>(epoch)));
}

/// Memory for the results of all other ranks side by side.
benchmark gathering(benchmark row) {
    row.needs = [](std::size_t s, std::size_t ranks) { return lengths{s, std::max<std::size_t>(1, ranks - 1) * s}; };
    return row;
}
/// Memory for two messages, one of each neighbor.
benchmark two_messages(benchmark row) {
    row.needs = [](std::size_t s, std::size_t) { return lengths{2 * s, 2 * s}; };
    return row;
}
/// Rank 0 is the only origin.
benchmark of_rank_0(benchmark row) {
    row.kind = family::passive;
    row.shows = columns::time_bandwidth;
    row.to_all_others = true;
    return row;
}

// Truly_passive_put: do transfers progress while the target computes?

/// Repetitions that end with a barrier. Before the barrier, targets do work.
template <sonde::Pattern P>
class busy_target : public sonde::pattern_adaptor<busy_target<P>, P> {
public:
    busy_target(P transfers, sonde::mpi::group const& group, imb_work<> target_work)
        : busy_target::pattern_adaptor{std::move(transfers)}, group_{group}, work_{target_work} {}

    void iterate(auto& transfers) {
        transfers();
        if (this->role() == sonde::role::responder) work_();
        group_.barrier();
    }

private:
    sonde::mpi::group const& group_;
    imb_work<> work_;
};

/// Repetitions whose targets work for `busy`.
sonde::record measure_busy_target(rma_instance const& at, std::size_t n, sonde::seconds busy, char const* part) {
    imb_work<> target_work;
    target_work.set_duration(busy);
    auto const& s = at.setting();
    busy_target pattern{pattern_of<rma_operation::put, per_repetition::one>(at, epochs::flush, true, at.slots()),
                        s.group, target_work};
    return imb::run(s.group, plan_of(at, n), pattern, s.point(part));
}

/// The target waits in the barrier at first. Then it computes for as long as a repetition took.
work truly_passive_work(setting& s) {
    auto const at = std::make_shared<rma_instance>(s, first_to_second, rma_operation::put);
    return {.measure = [=](std::size_t n) -> result {
                auto pure = measure_busy_target(*at, n, {}, "pure");
                auto overlap = measure_busy_target(*at, n, pure.over_ranks.max, "overlap");
                return {std::move(pure), std::move(overlap)};
            },
            .defects = [=] { return defects_of(*at, code_of<rma_operation::put>(epochs::flush)); }};
}

benchmark truly_passive_row() {
    auto row = pair_row("Truly_passive_put", truly_passive_work);
    row.shows = columns::passive_overlap;
    row.comment = {"The benchmark measures execution time of MPI_Put for 2 cases:",
                   "1) The target is waiting in MPI_Barrier call (t_pure value)",
                   "2) The target performs computation and then enters MPI_Barrier routine (t_ovrl value)"};
    return row;
}

/// In the order of IMB's list.
std::vector<benchmark> rows() {
    using enum rma_operation;
    using namespace epochs;
    return {two_mode_row<put>("Unidir_put", first_to_second, flush),
            two_mode_row<put>("Bidir_put", both_ways, flush),
            two_mode_row<get>("Unidir_get", first_to_second, flush),
            two_mode_row<get>("Bidir_get", both_ways, flush),
            two_mode_row<put>("Put_local", first_to_second, flush_local),
            not_by_default(two_mode_row<get>("Get_local", first_to_second, flush_local)),
            of_rank_0(many_row<put>("Put_all_local", first_to_all, flush_local_all)),
            not_by_default(of_rank_0(gathering(many_row<get>("Get_all_local", first_from_all, flush_local_all)))),
            of_rank_0(many_row<put>("One_put_all", first_to_all, flush_all)),
            many_row<put>("All_put_all", to_all, flush_all),
            of_rank_0(gathering(many_row<get>("One_get_all", first_from_all, flush_all))),
            gathering(many_row<get>("All_get_all", from_all, flush_all)),
            two_messages(many_row<put>("Exchange_put", put_to_neighbors, flush_targets)),
            two_messages(many_row<get>("Exchange_get", get_from_neighbors, flush_targets)),
            atomic_row<accumulate>("Accumulate"),
            atomic_row<get_accumulate>("Get_accumulate"),
            atomic_row<fetch_and_op>("Fetch_and_op"),
            compare_and_swap_row(),
            truly_passive_row()};
}

} // namespace

component rma() {
    component about{.part = "MPI-RMA part", .tests = rows()};
    about.lacks = lacking({"zero_size"});
    about.windows = true;
    about.blanks = {.calling = true, .last = true};
    return about;
}

} // namespace imb
