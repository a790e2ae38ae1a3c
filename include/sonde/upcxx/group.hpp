// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/affinity.hpp>
#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/version.hpp>

#include <upcxx/upcxx.hpp>

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::upcxx {

class control_channel;

/// Ranks of a team that measure together.
///
/// The team must outlive the group. The constructor and all other functions are collective over the team; the
/// destructor is not. They are called by the thread that has the master persona. UPC++ must be initialized, and must
/// not be finalized before the group is destroyed.
class [[nodiscard]] group {
public:
    explicit group(::upcxx::team const& members = ::upcxx::world()) : team_{&members} {
        if (size() > 1)
            oversubscribed_ = sonde::detail::is_oversubscribed(
                sonde::group_ref{*this}, sonde::detail::host_number(*this), sonde::detail::allowed_processors());
    }
    explicit group(::upcxx::team const&& temporary) = delete;

    int rank() const { return static_cast<int>(team_->rank_me()); }
    int size() const { return static_cast<int>(team_->rank_n()); }
    /// The team, for UPC++ calls of a user's pattern.
    ::upcxx::team const& team() const { return *team_; }
    /// True if on some host the group has more ranks than processors, see mpi::group. Equal on all ranks.
    bool oversubscribed() const { return oversubscribed_; }
    /// True if UPC++ is built for several threads (its thread mode PAR), and other threads may have its personas.
    bool allows_threads() const {
#if defined(UPCXX_THREADMODE) && UPCXX_THREADMODE
        return true;
#else
        return false;
#endif
    }
    /// Messages between two ranks. This call and the destruction of the channel are collective over the team. Defined
    /// in <sonde/upcxx/control_channel.hpp>.
    [[nodiscard]] upcxx::control_channel control_channel() const;
    /// Versions of the library and of the specification.
    std::string library() const {
        return "UPC++ " + dotted(::upcxx::release_version()) + ", specification " + dotted(::upcxx::spec_version());
    }
    /// The watchdog, see mpi::group. Null in a group of one rank.
    sonde::watchdog* watchdog() { return size() > 1 ? &watchdog_ : nullptr; }
    /// Sets how long a rank waits before it reports. See mpi::group.
    void set_watchdog(seconds limit) { watchdog_.set_limit(limit); }
    /// Waits for all ranks, and executes remote procedure calls meanwhile. It completes no transfers.
    void barrier() const { ::upcxx::barrier(*team_); }
    /// Rank 0 reduces, and all ranks get its bits.
    void all_reduce(std::span<double> values, reduction how) const {
        if (values.empty()) return;
        std::vector<double> const mine(values.begin(), values.end());
        auto const reduce = [&](auto op) {
            ::upcxx::reduce_one(mine.data(), values.data(), values.size(), op, 0, *team_).wait();
        };
        if (how == reduction::sum) reduce(::upcxx::op_fast_add);
        else if (how == reduction::min) reduce(::upcxx::op_fast_min);
        else reduce(::upcxx::op_fast_max);
        ::upcxx::broadcast(values.data(), values.size(), 0, *team_).wait();
    }

private:
    /// "2020.10.0" of 20201000: four digits, two, and the rest.
    static std::string dotted(long version) {
        return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
               std::to_string(version % 100);
    }

    ::upcxx::team const* team_;
    bool oversubscribed_ = false;
    sonde::watchdog watchdog_{watchdog_limit(), rank()};
};

/// Parameter type of functions and constructors that use the group's team. It refuses a temporary group.
using group_ref = basic_group_ref<group>;

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
