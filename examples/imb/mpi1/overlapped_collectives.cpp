// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_work.hpp"
#include "imb/imb.hpp"
#include "imb/mpi1/imb_collectives.hpp"
#include "suite/values.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace imb {

namespace {

// Collectives in a call mode with a separate start and completion. `Mode` is one of
//
//     Mode::mode                          call_modes
//     Mode::name(collective) -> string    of the benchmark
//     Mode::by_default(collective)        true if the benchmark with work runs by default
//     Mode::pattern(op, setting)          -> sonde::NonblockingOperation
//     Mode::defects(collective, setting)  -> function<double()>

/// Benchmarks of a call mode. `pure` (X_pure): the completion follows the start. `overlap` (X): the communication
/// alone, then with work between start and completion.
enum class overlap_part : unsigned char { pure, overlap };

template <class Mode>
result measure_part(collective const& of, setting& s, std::size_t n, overlap_part part) {
    return suite::with_operation(of.operation, recipe_of(s), [&](auto const& op) -> result {
        auto pattern = Mode::pattern(op, s);
        if (part == overlap_part::overlap) return measure_with_work(s, plan_of(of, s, n), pattern);
        return {imb::run(s.group, plan_of(of, s, n), pattern, s.point())};
    });
}

template <class Mode>
benchmark row_of_part(collective const& of, overlap_part part) {
    auto row = row_of(of);
    row.name = Mode::name(of);
    if (part == overlap_part::overlap) {
        row.shows = of.is_barrier() ? columns::sync_overlap : columns::overlap;
        row.by_default = Mode::by_default(of);
    } else {
        row.name += "_pure";
        row.by_default = false;
    }
    row.make = [&of, part](setting& s) -> work {
        return {[&of, &s, part](std::size_t n) { return measure_part<Mode>(of, s, n, part); }, Mode::defects(of, s)};
    };
    return row;
}

/// Rows of a component: those with work, then those without.
template <class Mode>
std::vector<benchmark> overlap_rows() {
    std::vector<benchmark> rows;
    for (auto const part : {overlap_part::overlap, overlap_part::pure})
        for (auto& row : rows_of(Mode::mode, [part](collective const& of) { return row_of_part<Mode>(of, part); }))
            rows.push_back(std::move(row));
    return rows;
}

/// MPI_Iallreduce, MPI_Wait.
struct nonblocking_mode {
    static constexpr auto mode = call_modes::nonblocking;

    static std::string name(collective const& of) { return std::string{"I"}.append(suite::lower(of.name)); }
    static bool by_default(collective const&) { return true; }
    template <sonde::CollectiveOperation Op>
    static auto pattern(Op const& op, setting const& s) {
        return bind<mpi::nonblocking>(op, s);
    }
    static std::function<double()> defects(collective const& of, setting& s) {
        return defects_of<mpi::nonblocking>(of, s);
    }
};

} // namespace

component nbc() {
    return {.part = "MPI-NBC part", .tests = overlap_rows<nonblocking_mode>(), .lacks = lacking({"aggregate_mode"})};
}

#if SONDE_MPI_PERSISTENT_COLLECTIVES
namespace {

/// MPI_Start, MPI_Wait. As in IMB, requests are made before the clock starts, one for each root, and for the first
/// buffers only.
struct persistent_mode {
    static constexpr auto mode = call_modes::persistent;

    static std::string name(collective const& of) { return std::string{of.name} + "_persist"; }
    static bool by_default(collective const& of) { return of.persistent_by_default; }
    template <sonde::CollectiveOperation Op>
    static auto pattern(Op const& op, setting const& s) {
        return bind_to_first<mpi::persistent>(op, s);
    }
    static std::function<double()> defects(collective const& of, setting& s) {
        return defects_of<mpi::persistent>(of, s);
    }
};

} // namespace

component mpi4() {
    return {.part = "MPI-4 part",
            .tests = overlap_rows<persistent_mode>(),
            .lacks = lacking({"aggregate_mode"}),
            .blanks = {.last = true}};
}
#endif

} // namespace imb
