// SPDX-License-Identifier: BSL-1.0
#include "imb/mpi1/overlapped_collectives.hpp"

#include "imb/driver/imb_work.hpp"
#include "imb/mpi1/imb_collectives.hpp"
#include "suite/values.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace imb {

namespace {

/// Work beside a communication, and the times of the phases.
struct overlapping_work {
    imb_work<> work;
    sonde::phase_timer<mpi::wtime> phases{mpi::wtime{}};
};

/// Receives a communication, and the same with work between start and completion.
using overlap_use = std::function<void(call_ref communication, call_ref with_work)>;

/// A call mode with a separate start and completion.
struct overlap_mode {
    bound_buffers buffers; // of the repetitions
    std::string (*name)(collective const&);
    bool (*by_default)(collective const&); // true if the benchmark with work runs by default
    void (*bind)(collective const& of, setting& s, bound_buffers which, overlapping_work& beside,
                 overlap_use const& use);
};

/// `overlap_mode::bind` of `mpi::nonblocking` or `mpi::persistent`.
template <template <class, class, class> class Mode>
void bind_with_work(collective const& of, setting& s, bound_buffers which, overlapping_work& beside,
                    overlap_use const& use) {
    suite::with_operation(of.operation, recipe_of(s), [&](auto const& op) {
        auto communication = bind<Mode>(op, s, which);
        sonde::overlapped<decltype(communication)&, imb_work<>&, sonde::phase_timer<mpi::wtime>&> with_work{
            communication, beside.work, beside.phases};
        use(communication, with_work);
    });
}

/// A measurement of n repetitions. Collective over the setting's group.
using measurement = result(overlap_mode const& in, collective const& of, setting& s, std::size_t n);

/// IMB's overlap: the communication alone, then with work between start and completion. The work of a rank takes as
/// long as the rank's mean time of the communication; the clock is read before and after it. All records keep the
/// ranks' means.
result measure_overlap(overlap_mode const& in, collective const& of, setting& s, std::size_t n) {
    auto const how = plan_of(of, s, n);
    overlapping_work beside{imb_work<>{}};
    result found;
    in.bind(of, s, in.buffers, beside, [&](call_ref communication, call_ref with_work) {
        found.pure = imb::run(s.group, how, communication, s.point("pure"));
        beside.work.set_duration(found.pure.rank_means[static_cast<std::size_t>(s.group.rank())]);
        found.overlap = imb::run(s.group, how, with_work, s.point("overlap"));
    });
    found.work = work_record(s, *found.overlap, beside.phases.means().work);
    return found;
}

/// The completion follows the start.
result measure_pure(overlap_mode const& in, collective const& of, setting& s, std::size_t n) {
    overlapping_work none{imb_work<>{0}};
    result found;
    in.bind(of, s, in.buffers, none, [&](call_ref communication, call_ref) {
        found.pure = imb::run(s.group, plan_of(of, s, n), communication, s.point());
    });
    return found;
}

double defects_of(overlap_mode const& in, collective const& of, setting& s) {
    overlapping_work none{imb_work<>{0}};
    double found = 0;
    in.bind(of, s, bound_buffers::first, none,
            [&](call_ref communication, call_ref) { found = deviation_of(of, s, communication); });
    return found;
}

/// A benchmark of a call mode: X with work, X_pure without. The mode is in static storage.
benchmark row_of(overlap_mode const& in, collective const& of, measurement& measure) {
    auto row = row_of(of);
    row.name = in.name(of);
    if (&measure == measure_overlap) {
        row.shows = of.is_barrier() ? columns::sync_overlap : columns::overlap;
        row.by_default = in.by_default(of);
    } else {
        row.name += "_pure";
        row.by_default = false;
    }
    row.make = [&in, &of, &measure](setting& s) {
        work made{[&in, &of, &s, &measure](std::size_t n) { return measure(in, of, s, n); }};
        if (!of.is_barrier()) made.defects = [&in, &of, &s] { return defects_of(in, of, s); };
        return made;
    };
    return row;
}

/// Rows of a component: those with work, then those without.
std::vector<benchmark> overlap_rows(overlap_mode const& in) {
    std::vector<benchmark> rows;
    for (auto* const measure : {measure_overlap, measure_pure})
        for (auto const* const of : overlapped_collectives()) rows.push_back(row_of(in, *of, *measure));
    return rows;
}

/// MPI_Iallreduce, MPI_Wait.
constexpr overlap_mode nonblocking_mode{
    .buffers = bound_buffers::all,
    .name = [](collective const& of) { return std::string{"I"}.append(suite::lower(of.name)); },
    .by_default = [](collective const&) { return true; },
    .bind = bind_with_work<mpi::nonblocking>};

} // namespace

component nbc() {
    return {.part = "MPI-NBC part",
            .tests = overlap_rows(nonblocking_mode),
            .lacks = file_options | mpi1_options | option_name::aggregate_mode};
}

#if SONDE_MPI_PERSISTENT_COLLECTIVES
namespace {

/// MPI_Start, MPI_Wait. As in IMB, requests are made before the clock starts, one for each root, and for the first
/// buffers only.
constexpr overlap_mode persistent_mode{.buffers = bound_buffers::first,
                                       .name = [](collective const& of) { return std::string{of.name} + "_persist"; },
                                       .by_default = [](collective const& of) { return of.persistent_by_default; },
                                       .bind = bind_with_work<mpi::persistent>};

} // namespace

component mpi4() {
    return {.part = "MPI-4 part",
            .tests = overlap_rows(persistent_mode),
            .lacks = file_options | mpi1_options | option_name::aggregate_mode,
            .blanks = {.last = true}};
}
#endif

} // namespace imb
