// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/version.hpp>

#include <mpi.h>
#include <time.h> // nanosleep

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace sonde::mpi {

namespace detail {

inline bool may_call(MPI_Comm comm) { return why_not_running(!is_predefined(comm)) == nullptr; }

inline void say_failure(MPI_Comm comm, char const* what) {
    if (!may_call(comm)) {
        std::fprintf(stderr, "sonde: %s\n", what);
        return;
    }
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::fprintf(stderr, "sonde: rank %d: %s\n", rank, what);
}

/// What was written so far leaves this process, and a launcher has time to read it: MPICH's ends all at the sight of an
/// abort, and what is still in its pipes is lost.
inline void let_it_be_read() {
    std::fflush(nullptr);
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 200'000'000};
    nanosleep(&moment, nullptr);
}

} // namespace detail

/// Run f; should it throw on this rank, say what on stderr and abort the job: the other ranks wait for this one, so an
/// exception that left would be their deadlock. For `main`, and around measurements in an application whose ranks
/// cannot recover together.
template <std::invocable F>
decltype(auto) guarded(MPI_Comm comm, F&& f) {
    try {
        return f();
    } catch (std::exception const& e) {
        detail::say_failure(comm, e.what());
    } catch (...) {
        detail::say_failure(comm, "an exception of unknown type");
    }
    detail::let_it_be_read();
    if (!detail::may_call(comm)) std::_Exit(1); // a job that has not begun, or has ended, is not aborted
    MPI_Abort(comm, 1);
    std::terminate(); // MPI_Abort does not return
}

} // namespace sonde::mpi
