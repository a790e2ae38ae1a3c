// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/measure/application_scope.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/report.hpp>
#include <sonde/report/table.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <sonde/detail/refuse.inc>

// A measurement in one call, for a first look: a plan that suits an interactive run, and a row on rank 0.

namespace sonde::inline v0_1::mpi {

/// The plan of `measure` and `compare` of this header: warm-up until the times are stable, a dissemination barrier
/// before each sample, so that no rank runs ahead (the root of a broadcast does not wait for the others), batches as
/// long as the clock needs, and samples until the median, or each speed-up, is known to 1 % with a confidence of 95 %,
/// for at most a second, of all alternatives together. Not collective.
[[nodiscard]] inline auto interactive_plan() {
    return sonde::plan<>{}
        .synchronized(dissemination_barrier{})
        .warmup(until_stable{})
        .batch(by_timer)
        .until(relative_error{0.01} || time_budget{seconds{1}});
}

namespace detail {

/// Throws std::invalid_argument for an exchange whose iterations are shorter than any call.
inline void require_exchange(char const* function, std::string const& name, seconds iteration) {
    if (!(iteration < seconds{1e-9})) return;
    throw std::invalid_argument{std::string{"sonde::mpi::"} + function + ": an iteration of '" + name +
                                "' takes less than 1 ns: it is empty, or a compiler has removed it"};
}

} // namespace detail

/// Measure an exchange of the application, without a bandwidth unless it has its own `traffic()`:
/// `measure(comm, "bcast", [&] { app.broadcast(); })`. The communicator is duplicated for the call. Rank 0 prints a
/// row, or passes the record to `report`; the record is equal on all ranks. Collective over the communicator. Throws
/// what `mpi::group` and `sonde::run` throw, and std::invalid_argument, on all ranks, for an exchange that does
/// nothing.
template <Pattern P, Reporter R = table>
record measure(MPI_Comm comm, std::string name, P&& exchange, R&& report = table{stdout}) {
    detail::require_outermost();
    group ranks{comm};
    auto found = sonde::detail::run(ranks, interactive_plan(), exchange, {std::move(name), {}, "mpi::measure"});
    if (found.initiators != 0) detail::require_exchange("measure", found.point.name, median(found));
    if (ranks.rank() == 0) report(std::as_const(found));
    return found;
}
/// The same with `moved`, what an iteration moves on this rank, from which the bandwidth follows:
/// `measure(comm, "halo", {.bytes = n}, [&] { app.exchange(); })`.
template <Pattern P, Reporter R = table>
record measure(MPI_Comm comm, std::string name, traffic moved, P&& exchange, R&& report = table{stdout}) {
    return mpi::measure(comm, std::move(name), with_traffic{moved, exchange}, report);
}
template <class G, class... Rest>
    requires(!std::convertible_to<G, MPI_Comm>)
SONDE_REFUSE("measure takes the application's communicator first; sonde::run takes a group and a plan",
             measure(G&&, Rest&&...));
template <class N, class... Rest>
    requires(!std::convertible_to<N, std::string>)
SONDE_REFUSE("the name comes after the communicator: measure(comm, \"halo\", {.bytes = n}, [&] { app.exchange(); })",
             measure(MPI_Comm, N&&, Rest&&...));
template <class N, class... Rest>
    requires(std::integral<std::remove_cvref_t<N>>)
SONDE_REFUSE("the bytes of an exchange are written {.bytes = n}", measure(MPI_Comm, std::string, N&&, Rest&&...));
template <class P, class... Rest>
    requires(!Pattern<P>)
SONDE_REFUSE("an exchange is called without arguments: [&] { app.exchange(); }",
             measure(MPI_Comm, std::string, traffic, P&&, Rest&&...));
template <class P, class... Rest>
    requires(!Pattern<P> && !std::integral<std::remove_cvref_t<P>> && !std::convertible_to<P, traffic>)
SONDE_REFUSE("an exchange is called without arguments: [&] { app.exchange(); }",
             measure(MPI_Comm, std::string, P&&, Rest&&...));

/// An exchange and its name, as an argument of `compare`. The exchange must outlive the call.
struct alternative {
    std::string name;       // of the alternative
    pattern_ref<> exchange; // refers to the pattern
};

/// Compare exchanges of the application, of which the first is the base:
/// `compare(comm, {{"blocking", f}, {"persistent", g}})`. The communicator is duplicated for the call. Rank 0 prints
/// the speed-ups with their intervals and outcomes, or passes the comparison to `report`; the comparison is equal on
/// all ranks, and so is `fastest` of it. Collective over the communicator. Throws what `mpi::group` and
/// `sonde::compare` throw, and std::invalid_argument, on all ranks, for an exchange that does nothing.
template <std::invocable<comparison const&> Report = comparison_table>
comparison compare(MPI_Comm comm, std::initializer_list<alternative> all, Report&& report = comparison_table{stdout}) {
    detail::require_outermost();
    group ranks{comm};
    auto const visit = [&](std::size_t i, auto f) { f(all.begin()[i].exchange); };
    auto found = sonde::detail::compare(
        ranks, interactive_plan(), alternatives{all.size(), visit}, "mpi::compare",
        [&](std::size_t i, auto const&) -> point { return all.begin()[i].name; },
        [](sonde::detail::measurement const& one) {
            if (one.quick) detail::require_exchange("compare", one.found.point.name, *one.quick);
        });
    for (auto const& r : found.records)
        if (r.initiators != 0) detail::require_exchange("compare", r.point.name, median(r));
    if (ranks.rank() == 0) report(std::as_const(found));
    return found;
}
/// The same for an exchange whose scope in the application is known: the comparison also has what an alternative wins
/// there (`gain_in_application`), which is shown beside its speed-up.
template <std::invocable<comparison const&> Report = comparison_table>
comparison compare(MPI_Comm comm, std::initializer_list<alternative> all, application_scope application,
                   Report&& report = comparison_table{stdout}) {
    auto found = mpi::compare(comm, all, [](comparison const&) {});
    found.application = std::move(application);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) report(std::as_const(found));
    return found;
}
template <class P, class... Rest>
SONDE_REFUSE("exchanges have names in braces: compare(comm, {{\"blocking\", f}, {\"persistent\", g}})",
             compare(MPI_Comm, P&&, Rest&&...));

// A synchronizer that is chosen at run time by its name, as in bindings for other languages.

/// How the ranks are synchronized before samples.
enum class synchronization : unsigned char {
    once,          // a barrier before the first sample
    each,          // a barrier before each sample
    none,          // no barrier: the pattern synchronizes itself
    dissemination, // a barrier of empty messages before each sample
    start          // samples start on all ranks at one time of a global clock
};

/// The names of all enumerators, in their order.
inline constexpr std::string_view synchronization_names[] = {"once", "each", "none", "dissemination", "start"};

/// The synchronizer of the ranks of a group, which must outlive it. Collective over the group for
/// `synchronization::start`, which compares the clocks; copies share the comparison. Throws mpi::error.
[[nodiscard]] inline any_synchronizer<group> synchronizer_of(synchronization how, group& ranks) {
    switch (how) {
    case synchronization::each:
        return barrier_each{};
    case synchronization::none:
        return no_sync{};
    case synchronization::dissemination:
        return dissemination_barrier{};
    case synchronization::start:
        return synchronized_start{ranks};
    default:
        return barrier_once{};
    }
}

} // namespace sonde::mpi

#include <sonde/detail/refuse.inc>
