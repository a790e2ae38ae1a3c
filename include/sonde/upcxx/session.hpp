// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/version.hpp>

#include <upcxx/upcxx.hpp>

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace sonde::inline v0_1::upcxx {

/// True if UPC++ finalizes MPI when the process exits, also if the application has initialized MPI: over its network
/// `mpi`. The application must then not call MPI_Finalize.
#if defined(UPCXX_NETWORK_MPI) && UPCXX_NETWORK_MPI
inline constexpr bool finalizes_mpi = true;
#else
inline constexpr bool finalizes_mpi = false;
#endif

/// UPC++ between init and finalize. Constructor and destructor are collective over all processes. UPC++ counts its
/// initializations, so a session works inside an application that has initialized UPC++ itself. If an exception
/// destroys the session, it does not call finalize, because the other processes may never call it.
///
/// MPI may be initialized before, if UPC++ is built for a network that a launcher of MPI starts.
class [[nodiscard]] session {
public:
    session() { ::upcxx::init(); }
    session(session&&) = delete;
    ~session() {
        if (!unwinding_.is_unwinding()) ::upcxx::finalize();
    }

private:
    sonde::detail::exception_checker unwinding_;
};

namespace detail {

/// Prints `message` with the rank on stderr and ends the process with status 1. UPC++ has no function that ends all
/// processes; its runtime ends the other processes when one of them exits before finalize.
[[noreturn]] inline void print_and_exit(char const* message) {
    std::fprintf(stderr, "sonde: rank %d: %s\n", static_cast<int>(::upcxx::rank_me()), message);
    std::fflush(nullptr);
    std::exit(1);
}

} // namespace detail

/// Returns f(). If f throws, prints the exception's message on stderr and ends all processes: an exception that left
/// the function on one rank would leave the other ranks waiting. Not collective; UPC++ must be initialized.
template <std::invocable F>
decltype(auto) abort_on_exception(F&& f) {
    return sonde::abort_on_exception(detail::print_and_exit, std::forward<F>(f));
}

} // namespace sonde::upcxx
