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

} // namespace detail

/// Throws mpi::error unless `code`, which `routine` returned, is MPI_SUCCESS.
inline void check(int code, char const* routine) {
    if (code != MPI_SUCCESS) [[unlikely]]
        detail::fail(routine, code);
}

} // namespace sonde::mpi
