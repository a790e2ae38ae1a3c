// SPDX-License-Identifier: BSL-1.0
#include "imb/one_sided/rma_measure.hpp"

#include "imb/driver/imb_work.hpp"
#include "imb/driver/setting.hpp"
#include "imb/one_sided/rma_contents.hpp"
#include "imb/one_sided/rma_instance.hpp"
#include "imb/one_sided/rma_rows.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace imb {

namespace {

/// MPI_Win_fence after the transfers only. The fence before them is the previous one, or the constructor's. Collective
/// over the window's group.
class closing_fence {
public:
    explicit closing_fence(sonde::mpi::created_window const& w) : fence_{w} { fence_.open(sonde::both_sides{}); }
    void open(auto) const {}
    void close(auto side) const { fence_.close(side); }

private:
    sonde::mpi::fence fence_;
};

template <rma_epoch E>
auto epoch_of(rma_epoch_arguments const& a) {
    if constexpr (E == rma_epoch::closing_fence) return closing_fence{a.window};
    else if constexpr (E == rma_epoch::fence_pair)
        return sonde::mpi::fence{a.window, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED}; // no epoch precedes or succeeds
    else if constexpr (E == rma_epoch::flush) return suite::epochs::flush(a);
    else if constexpr (E == rma_epoch::flush_local) return suite::epochs::flush_local(a);
    else if constexpr (E == rma_epoch::flush_targets) return suite::epochs::flush_targets(a);
    else if constexpr (E == rma_epoch::flush_all) return suite::epochs::flush_all(a);
    else return suite::epochs::flush_local_all(a);
}

/// Transfers of a rank in a repetition: several, or at most one, without a loop in the timed code.
template <rma_operation Op, bool Several>
auto transfers_of(rma_instance const& at, slot_strides const& by) {
    using operation = decltype(suite::transfer_of<Op>(at.arguments({-1})));
    if constexpr (Several) {
        std::vector<operation> all;
        for (auto const& t : at.transfers()) all.push_back(suite::transfer_of<Op>(at.arguments(t)));
        return advancing_transfers<operation>{std::move(all), by};
    } else {
        auto const only = at.is_origin() ? at.transfers().front() : transfer{-1};
        return advancing_transfer<operation>{suite::transfer_of<Op>(at.arguments(only)), by};
    }
}

/// The pattern of an operation and an epoch, over the first `slots` slots. A rank that does not act is a target only.
/// Collective over the setting's group.
template <rma_operation Op, rma_epoch E>
auto pattern_of(rma_instance const& at, bool acts, std::size_t slots) {
    return accesses{epoch_of<E>(at.epoch()), at.role(), acts && at.is_origin(), at.completion(),
                    transfers_of<Op, of_several(E)>(at, at.strides(slots))};
}

/// Plan of n repetitions: the loop as a whole, or each call without barriers between the calls, because their epochs
/// begin and end with a fence (IMB-EXT Accumulate).
plan plan_of(rma_instance const& at, std::size_t n) {
    auto const& s = at.setting();
    if (!at.timed_calls()) return s.timed_loop(n);
    return s.timed_calls(n).synchronized(start_barriers{false, s.options.own_barrier, s.all_groups});
}

/// The code of an operation and an epoch. The locks of a passive epoch last for a run.
template <rma_operation Op, rma_epoch E>
constexpr rma_code code_of() {
    return {.passive = sonde::PassiveEpoch<decltype(epoch_of<E>(std::declval<rma_epoch_arguments const&>()))>,
            .measure =
                [](rma_instance const& at, std::size_t n) {
                    auto pattern = pattern_of<Op, E>(at, true, at.slots());
                    return imb::run(at.setting().group, plan_of(at, n), pattern, at.setting().point());
                },
            .transfer =
                [](rma_instance const& at, bool acts, std::size_t slots, std::size_t passes) {
                    auto pattern = pattern_of<Op, E>(at, acts, slots);
                    for (; passes != 0; --passes) {
                        for (std::size_t i = 0; i != slots; ++i) pattern();
                        sonde::complete(pattern);
                    }
                }};
}

/// One size of a row. The window is created once for a size. All values of MPI_Compare_and_swap are zero: those sent,
/// those compared with, and those in the window. So every swap takes place.
work work_of(setting& s, one_sided const& row, rma_code const& code) {
    if (compares(row.operation)) s.send.fill(std::byte{});
    auto const at = std::make_shared<rma_instance>(s, row);
    return {.measure = [=](std::size_t n) -> result { return {code.measure(*at, n)}; },
            .defects = [=] { return defects_of(*at, code); }};
}

/// The benchmark of a row without its `make`: a slot of memory for each repetition.
benchmark benchmark_of(one_sided const& row, std::vector<mode> const& modes) {
    benchmark made;
    made.name = row.name;
    made.kind = row.kind;
    made.shows = row.kind == family::collective ? columns::range : columns::time_bandwidth;
    made.needs = row.needs;
    made.to_all_others = row.kind == family::passive; // rank 0 is the only origin
    if (!row.completes) made.modes = modes;
    made.by_default = row.by_default;
    made.reduces = row.reduces;
    made.disjoint = true;
    if (compares(row.operation)) made.comment = {"Uses MPI_INT data type"};
    return made;
}

/// The benchmarks of a table, each with the code of its operation and epoch.
template <auto const& Rows>
std::vector<benchmark> benchmarks_of(std::vector<mode> const& modes) {
    std::vector<benchmark> all;
    auto const add = [&](one_sided const& row, rma_code const& code) {
        auto made = benchmark_of(row, modes);
        made.make = [&row, code](setting& s) { return work_of(s, row, code); };
        all.push_back(std::move(made));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add(Rows[I], code_of<Rows[I].operation, Rows[I].epoch>()), ...);
    }(std::make_index_sequence<std::size(Rows)>{});
    return all;
}

// Window

/// Benchmark Window: create a window, put one byte to this rank itself, and free the window. Uses MPI's calls, because
/// the constructor of a window of Sonde's communicates, too.
class window_lifetime {
public:
    window_lifetime(sonde::mpi::group const& group, sonde::region out, sonde::region window)
        : group_{group}, out_{out}, window_{window} {}

    void operator()() const {
        MPI_Win win = MPI_WIN_NULL;
        auto const bytes = static_cast<MPI_Aint>(window_.size());
        sonde::mpi::check(MPI_Win_create(window_.data(), bytes, 1, MPI_INFO_NULL, group_.comm(), &win),
                          "MPI_Win_create");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        if (!window_.empty())
            sonde::mpi::check(MPI_Put(out_.data(), 1, MPI_BYTE, group_.rank(), 0, 1, MPI_BYTE, win), "MPI_Put");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        sonde::mpi::check(MPI_Win_free(&win), "MPI_Win_free");
    }
    sonde::traffic traffic() const { return window_.empty() ? sonde::traffic{} : sonde::traffic{1, 1}; }

private:
    sonde::mpi::group const& group_;
    sonde::region out_;
    sonde::region window_;
};

work window_work(setting& s) {
    return {.measure = [&s](std::size_t n) -> result {
        window_lifetime const pattern{s.group, s.send.on_host(), s.receive.on_host().first(s.bytes)};
        return {imb::run(s.group, s.timed_loop(n), pattern, s.point())};
    }};
}

benchmark window_row() { return {.name = "Window", .make = window_work, .counted_as = mode::non_aggregate}; }

// Truly_passive_put: do transfers progress while the target computes?

constexpr one_sided truly_passive{.name = "Truly_passive_put",
                                  .operation = rma_operation::put,
                                  .epoch = rma_epoch::flush,
                                  .transfers = transfers::first_to_second,
                                  .completes = completion::each_repetition};

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
    busy_target pattern{pattern_of<rma_operation::put, rma_epoch::flush>(at, true, at.slots()), s.group, target_work};
    return imb::run(s.group, plan_of(at, n), pattern, s.point(part));
}

/// The target waits in the barrier at first. Then it computes for as long as a repetition took.
work truly_passive_work(setting& s) {
    auto const at = std::make_shared<rma_instance>(s, truly_passive);
    return {.measure = [=](std::size_t n) -> result {
                auto pure = measure_busy_target(*at, n, {}, "pure");
                auto overlap = measure_busy_target(*at, n, pure.over_ranks.max, "overlap");
                return {std::move(pure), std::move(overlap)};
            },
            .defects = [=] { return defects_of(*at, code_of<truly_passive.operation, truly_passive.epoch>()); }};
}

benchmark truly_passive_row() {
    auto row = benchmark_of(truly_passive, {mode::only});
    row.make = truly_passive_work;
    row.shows = columns::passive_overlap;
    row.comment = {"The benchmark measures execution time of MPI_Put for 2 cases:",
                   "1) The target is waiting in MPI_Barrier call (t_pure value)",
                   "2) The target performs computation and then enters MPI_Barrier routine (t_ovrl value)"};
    return row;
}

} // namespace

component ext() {
    component about{.part = "MPI-2 part", .tests = benchmarks_of<ext_rows>({mode::aggregate, mode::non_aggregate})};
    about.tests.insert(about.tests.begin(), window_row());
    about.lacks =
        file_options | mpi1_options | option_set{option_name::root_shift, option_name::sync, option_name::zero_size};
    about.windows = true;
    about.smallest_unit = 4;
    return about;
}

component rma() {
    component about{.part = "MPI-RMA part", .tests = benchmarks_of<rma_rows>({mode::non_aggregate, mode::aggregate})};
    about.tests.push_back(truly_passive_row());
    about.lacks = file_options | mpi1_options | option_name::zero_size;
    about.windows = true;
    about.blanks = {.calling = true, .last = true};
    return about;
}

} // namespace imb
