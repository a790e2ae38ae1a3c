// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/plan.hpp>
#include <sonde/c/record.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/clock.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/stepwise_run.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// MPI 5.0; null in an earlier library.
extern "C" [[gnu::weak]] int MPI_Abi_get_version(int* version, int* revision);

/// A measurement in steps.
struct sonde_steps {
    static constexpr auto noun = "the measurement in steps"; // in messages

    sonde_steps(sonde_group& group, sonde_plan const& plan, sonde_pattern const& pattern)
        : ranks{&group.ranks},
          run{group.ranks, sonde::detail::c::plan_of(plan, group), sonde::detail::c::point_of(pattern),
              sonde::detail::c::traffic_of(pattern), sonde::detail::c::role_of(pattern)} {}

    sonde::mpi::group* ranks;                                                // that measure
    sonde::stepwise_run<sonde::mpi::group, sonde::detail::c::plan_type> run; // that the caller drives
};

namespace sonde::inline v0_1::detail::c {

/// The binary interface that this file was compiled for; empty if it is none of these.
constexpr std::string_view compiled_interface() {
#if defined(OPEN_MPI)
    return "Open MPI";
#elif defined(MPICH_VERSION)
    return "MPICH";
#elif defined(MPI_ABI_VERSION)
    return "the standard ABI of MPI";
#else
    return "";
#endif
}

/// The binary interface of the library with this version text. Libraries of vendors have MPICH's.
inline std::string_view running_interface(std::string_view version) {
    int abi = -1, revision = -1;
    if (MPI_Abi_get_version != nullptr && MPI_Abi_get_version(&abi, &revision) == MPI_SUCCESS && abi > 0)
        return "the standard ABI of MPI";
    return version.starts_with("Open MPI") ? "Open MPI" : "MPICH";
}

/// Throws std::logic_error where the program runs with another MPI library than the one that this file was compiled
/// with, whose handles have another type.
inline void require_same_library() {
    constexpr int size = 16384; // Open MPI's text has at most 256 characters, MPICH's 8192
    auto const running = mpi::detail::text_from<size>(MPI_Get_library_version, "MPI_Get_library_version");
    if (compiled_interface().empty() || running_interface(running) == compiled_interface()) return;
    throw std::logic_error{"sonde: libsonde was built with " + std::string{compiled_interface()} +
                           ", and the program runs with " + running.substr(0, running.find_first_of(",\n")) +
                           ": link it with the library of libsonde"};
}

/// The communicator of a handle of Fortran.
inline MPI_Comm communicator_of(sonde_fint handle) {
#ifdef MPI_ABI_VERSION
    return MPI_Comm_fromint(handle);
#else
    return MPI_Comm_f2c(handle);
#endif
}

/// Frees a group, and the steps that still refer to it.
inline void destroy_group(sonde_group** group) {
    if (auto const* const found = find(*group))
        handle_table<sonde_steps>::instance().remove_if(
            [&](sonde_steps const& steps) { return steps.ranks == &found->ranks; });
    destroy(group);
}

/// Pattern i of an array whose elements have the size that the first one says.
inline sonde_pattern const* pattern_at(sonde_pattern const* patterns, std::size_t i) {
    if (patterns == nullptr) return nullptr;
    return reinterpret_cast<sonde_pattern const*>(reinterpret_cast<char const*>(patterns) + i * patterns->size);
}

/// Throws on all ranks if they call different functions, and a problem that some rank has, an empty text without one.
/// The watchdog tells that ranks do not come to this call of `function`. Collective over the group.
inline void agree(mpi::group& ranks, char const* function, std::string const& problem) {
    sonde::detail::watched_call const watched{ranks, function};
    sonde::detail::require_same_call(group_ref{ranks}, {.function = function});
    mpi::detail::require_on_all(ranks, problem);
}

/// Throws on all ranks the first of the problems with the arguments of a measurement. The synchronizers are compared
/// here, because the construction of one may be collective. Collective over the group.
inline void require_arguments(sonde_group& group, char const* function, sonde_plan const* plan,
                              sonde_pattern const* patterns, std::size_t count, bool are_called, void const* result) {
    sonde::detail::watched_call const watched{group.ranks, function};
    auto problem = result == nullptr ? std::string{"sonde: the result is NULL"} : problem_of(plan);
    if (problem.empty() && count == 0) problem = "sonde: there are no patterns to compare";
    for (std::size_t i = 0; i != count && problem.empty(); ++i)
        problem = problem_of(pattern_at(patterns, i), are_called);
    agree(group.ranks, function, problem);
    sonde::detail::require_equal_parts(group.ranks, std::array{static_cast<double>(plan->synchronize)},
                                       std::array{"synchronizer"}, "sonde: the plan must be equal on all ranks");
}

inline steady_clock::time_point time_point_of(std::int64_t nanoseconds) {
    return steady_clock::time_point{
        std::chrono::duration_cast<steady_clock::duration>(std::chrono::nanoseconds{nanoseconds})};
}

inline std::int64_t nanoseconds_of(steady_clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count();
}

extern "C" {

sonde_status sonde_group_create(MPI_Comm comm, sonde_group** group, sonde_error* error) {
    return guarded(error, [&] {
        require_same_library();
        require(group, "the result");
        mpi::detail::require_running(!mpi::detail::is_predefined(comm));
        *group = make_handle<sonde_group>(comm);
    });
}

sonde_status sonde_group_create_f(sonde_fint comm, sonde_group** group, sonde_error* error) {
    // Open MPI ends the process where a handle is converted without MPI.
    auto const status = guarded(error, [] {
        require_same_library();
        mpi::detail::require_running(true);
    });
    return status == SONDE_SUCCESS ? sonde_group_create(sonde::detail::c::communicator_of(comm), group, error) : status;
}

sonde_status sonde_group_free(sonde_group** group, sonde_error* error) {
    return guarded(error, [&] {
        require(group, "the address of the group");
        destroy_group(group);
    });
}

int sonde_group_rank(sonde_group const* group) {
    auto const* const found = find(group);
    return found == nullptr ? -1 : found->ranks.rank();
}

int sonde_group_size(sonde_group const* group) {
    auto const* const found = find(group);
    return found == nullptr ? 0 : found->ranks.size();
}

sonde_status sonde_run(sonde_group* group, sonde_plan const* plan, sonde_pattern const* pattern, sonde_record** record,
                       sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group);
        require_arguments(ranks, "run", plan, pattern, 1, true, record);
        function_pattern measured{*pattern};
        *record = make_handle<sonde_record>(sonde::run(ranks.ranks, plan_of(*plan, ranks), measured, measured.point()));
    });
}

sonde_status sonde_compare(sonde_group* group, sonde_plan const* plan, sonde_pattern const* patterns, size_t count,
                           sonde_comparison** comparison, sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group);
        require_arguments(ranks, "compare", plan, patterns, count, true, comparison);
        std::vector<function_pattern> all;
        for (std::size_t i = 0; i != count; ++i) all.emplace_back(*pattern_at(patterns, i));
        sonde::alternatives const set{count, [&](std::size_t i, auto f) { f(all[i]); }};
        *comparison = make_handle<sonde_comparison>(sonde::compare(ranks.ranks, plan_of(*plan, ranks), set));
    });
}

sonde_status sonde_steps_begin(sonde_group* group, sonde_plan const* plan, sonde_pattern const* pattern,
                               sonde_steps** steps, sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group);
        require_arguments(ranks, "steps_begin", plan, pattern, 1, false, steps);
        *steps = make_handle<sonde_steps>(ranks, *plan, *pattern);
    });
}

sonde_status sonde_steps_next(sonde_steps* steps, sonde_step* step, sonde_error* error) {
    return guarded(error, [&] {
        auto& run = checked_collective(steps).run;
        if (step == nullptr)
            run.fail(std::make_exception_ptr(std::invalid_argument{"sonde: the address of the step is NULL"}));
        auto const [samples, batch] = run.next();
        *step = {samples, batch};
    });
}

sonde_status sonde_steps_synchronize(sonde_steps* steps, sonde_error* error) {
    return guarded(error, [&] { checked_collective(steps).run.synchronize(); });
}

sonde_status sonde_steps_add(sonde_steps* steps, int64_t begin, int64_t end, sonde_error* error) {
    return guarded(error, [&] {
        auto& run = checked(steps).run;
        if (end < begin) throw std::invalid_argument{"sonde: the sample ends before it begins"};
        run.add(time_point_of(begin), time_point_of(end));
    });
}

sonde_status sonde_steps_fail(sonde_steps* steps, int code, sonde_error* error) {
    return guarded(error, [&] {
        auto& run = checked(steps).run;
        if (code == 0) throw std::invalid_argument{"sonde: the code of a failure is 0"};
        run.fail(std::make_exception_ptr(call_error{"the exchange", code}));
    });
}

sonde_status sonde_steps_record(sonde_steps* steps, sonde_record** record, sonde_error* error) {
    return guarded(error, [&] {
        auto& measured = checked_collective(steps);
        agree(*measured.ranks, "steps_record", record == nullptr ? "sonde: the result is NULL" : "");
        *record = make_handle<sonde_record>(measured.run.finish());
    });
}

void sonde_steps_free(sonde_steps** steps) { destroy(steps); }

int64_t sonde_now(void) { return nanoseconds_of(sonde::steady_clock::now()); }

} // extern "C"

} // namespace sonde::detail::c
