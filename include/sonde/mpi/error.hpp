// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace sonde::mpi {

/// A call of the MPI library that failed: which, with what code, and what the library says to that.
class error : public std::runtime_error {
public:
    error(char const* routine, int code)
        : std::runtime_error{std::string{routine} + ": " + text(code)}, routine_{routine}, code_{code} {}
    char const* routine() const { return routine_; }
    int code() const { return code_; }

private:
    static std::string text(int code) {
        char message[MPI_MAX_ERROR_STRING];
        int length = 0;
        if (MPI_Error_string(code, message, &length) != MPI_SUCCESS) return "error code " + std::to_string(code);
        return {message, static_cast<std::size_t>(length)};
    }

    char const* routine_;
    int code_;
};

namespace detail {

// Out of line, so that a call in a timed loop costs one predicted comparison and no more.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(char const* routine, int code) { throw error{routine, code}; }

/// Why MPI must not be called now, or null. `of_session`: for what may belong to a session of MPI-4, which needs no
/// MPI_Init, and of which MPI_Initialized says nothing.
inline char const* why_not_running(bool of_session) {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized != 0) return "MPI_Finalize has been called";
    return initialized != 0 || (of_session && MPI_VERSION >= 4) ? nullptr : "MPI_Init has not been called";
}

/// Is it a communicator that there is before MPI_Init, and in no session?
inline bool is_predefined(MPI_Comm comm) { return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF; }

/// Throws std::logic_error before MPI_Init and after MPI_Finalize, when the MPI library would end the job.
inline void require_running(bool of_session) {
    if (auto const* const why = why_not_running(of_session)) throw std::logic_error{std::string{"sonde::mpi: "} + why};
}

} // namespace detail

/// Throws mpi::error unless `code`, which `routine` returned, is MPI_SUCCESS.
inline void check(int code, char const* routine) {
    if (code != MPI_SUCCESS) [[unlikely]]
        detail::fail(routine, code);
}

} // namespace sonde::mpi
