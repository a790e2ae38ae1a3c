// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/compare.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/report.hpp>
#include <sonde/report/comparison_table.hpp>
#include <sonde/report/table.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>

// A measurement in one call, for a first look: a plan that suits an interactive run, and a row on rank 0.

namespace sonde::inline v0_1::mpi {

/// The plan of `measure` and `compare` of this header: warm-up until the times are stable, batches as long as the clock
/// needs, and samples until the median, or each speed-up, is known to 1 % with a confidence of 95 %, for at most a
/// second.
[[nodiscard]] inline auto interactive_plan() {
    return sonde::plan<>{}
        .warmup(until_stable{})
        .batch(by_timer)
        .until(relative_error{0.01} || time_budget{seconds{1}});
}

/// Measure an exchange of the application: `measure(comm, "halo", {.bytes = n}, [&] { app.exchange(); })`. `moved` is
/// what an iteration moves on this rank, from which the bandwidth follows. The communicator is duplicated for the
/// call. Rank 0 prints a row, or passes the record to `report`; the record is equal on all ranks. Collective over the
/// communicator. Throws what `mpi::group` and `sonde::run` throw.
template <Pattern P, Reporter R>
record measure(MPI_Comm comm, std::string name, traffic moved, P&& exchange, R&& report) {
    group ranks{comm};
    auto found = sonde::run(ranks, interactive_plan(), with_traffic{moved, exchange}, std::move(name));
    if (ranks.rank() == 0) report(std::as_const(found));
    return found;
}
/// The same, with a table on standard output.
template <Pattern P>
record measure(MPI_Comm comm, std::string name, traffic moved, P&& exchange) {
    return mpi::measure(comm, std::move(name), moved, std::forward<P>(exchange), table{stdout});
}

/// An exchange and its name, as an argument of `compare`. The exchange must outlive the call.
struct alternative {
    std::string name;       // of the alternative
    pattern_ref<> exchange; // refers to the pattern
};

/// Compare exchanges of the application, of which the first is the base:
/// `compare(comm, {{"blocking", f}, {"persistent", g}})`. The communicator is duplicated for the call. Rank 0 prints
/// the speed-ups with their intervals and outcomes, or passes the comparison to `report`; the comparison is equal on
/// all ranks, and so is `fastest` of it. Collective over the communicator. Throws what `mpi::group` and
/// `sonde::compare` throw.
template <std::invocable<comparison const&> Report>
comparison compare(MPI_Comm comm, std::initializer_list<alternative> all, Report&& report) {
    group ranks{comm};
    auto const visit = [&](std::size_t i, auto f) { f(all.begin()[i].exchange); };
    auto found = sonde::compare(ranks, interactive_plan(), alternatives{all.size(), visit});
    for (std::size_t i = 0; i != all.size(); ++i) found.records[i].point.name = all.begin()[i].name;
    if (ranks.rank() == 0) report(std::as_const(found));
    return found;
}
/// The same, with a table on standard output.
inline comparison compare(MPI_Comm comm, std::initializer_list<alternative> all) {
    return mpi::compare(comm, all, comparison_table{stdout});
}

} // namespace sonde::mpi
