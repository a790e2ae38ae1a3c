// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/affinity.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/thread_hold.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace sonde::inline v0_1::mpi {

namespace detail {

inline constexpr int dissemination_tag = 32767; // the largest tag that every MPI library allows
inline constexpr int control_tag = dissemination_tag - 1;

/// Frees a communicator, unless MPI is finalized, or a rank has died: MPI_Comm_free is collective, and may then wait.
inline int free_communicator(MPI_Comm* comm) {
    int finalized = 0;
    auto const may_free = MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0 && failed_ranks().empty();
    return may_free ? MPI_Comm_free(comm) : MPI_SUCCESS;
}
using owned_communicator = owned_handle<MPI_Comm>;

/// The ranks of a communicator on the host of this rank, which share memory. Collective over the communicator.
owned_communicator ranks_of_host(MPI_Comm comm);

} // namespace detail

class control_channel;

/// The ranks of a communicator. The group duplicates the communicator, so that no message of Sonde matches a receive of
/// the application.
///
/// Made from an MPI_Comm, or from a type that converts to one (boost::mpi::communicator). Constructor and destructor
/// are collective over the communicator. The duplicate has the communicator's topology, attributes and info hints, and
/// returns errors, which are thrown as mpi::error; the application's communicator keeps its error handler. MPI must be
/// initialized, and must not be finalized before the group is destroyed. Throws std::invalid_argument for MPI_COMM_NULL
/// and for an inter-communicator, and std::logic_error before MPI_Init and after MPI_Finalize.
class [[nodiscard]] group {
public:
    explicit group(MPI_Comm parent);
    /// Leaves the other group without ranks.
    group(group&& other) noexcept
        : comm_{std::move(other.comm_)}, rank_{other.rank_}, size_{std::exchange(other.size_, 0)},
          oversubscribed_{other.oversubscribed_}, watchdog_{other.watchdog_} {}
    group& operator=(group&&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// The duplicate, for the MPI calls of a user's pattern.
    MPI_Comm comm() const { return comm_.get(); }
    /// True if on some host the group has more ranks than processors, either within the binding of a rank or within the
    /// union of all bindings (sched_getaffinity; a hardware thread is a processor). Ranks then wait for each other's
    /// time slices. Equal on all ranks. Ranks outside the group are not counted. The constructor determines it by a
    /// reduction, a gather of the bindings (24 bytes per rank for up to 128 processors) and a broadcast; a group of one
    /// rank needs none of these.
    bool oversubscribed() const { return oversubscribed_; }

    /// True if several threads of this process may call MPI, one at a time: MPI_THREAD_SERIALIZED and above, and an
    /// MPI-4 session without MPI_Init, whose thread level cannot be queried.
    bool allows_threads() const;
    /// The watchdog, which reports on stderr that the other ranks do not arrive at a measurement (rank 0), or that this
    /// rank stays in the exchange that is measured. Null in a group of one rank, and under SimGrid's SMPI, whose ranks
    /// are threads of one process in virtual time.
    sonde::watchdog* watchdog() const {
#ifdef SMPI_H
        return nullptr;
#else
        return size_ > 1 ? &watchdog_ : nullptr;
#endif
    }
    /// Holds the group for this thread: called by collective functions such as `run`, so that another thread that
    /// measures by the same group waits. Throws std::logic_error if the level of threads of MPI does not allow the
    /// call, within an exchange that it measures, after MPI_Finalize, and if the group was moved from.
    detail::thread_hold hold() const;
    /// Sets how long a rank waits before it reports. The default is 30 s, or the number of seconds in the environment
    /// variable SONDE_WATCHDOG; 0 switches the watchdog off. Do not call it within a measurement.
    void set_watchdog(seconds limit) { watchdog_.set_limit(limit); }
    void barrier() const { check(MPI_Barrier(comm()), "MPI_Barrier"); }
    void all_reduce(std::span<double> values, reduction how) const;
    /// Sends the bytes of rank `root` to all ranks. See `sonde::Group`.
    void broadcast(std::span<std::byte> bytes, int root) const;
    /// Collects the bytes of every rank on rank 0. See `sonde::Group`.
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const;
    /// Messages between two ranks, on the communicator.
    [[nodiscard]] mpi::control_channel control_channel() const;
    /// An empty message to a rank and one from another: MPI_Sendrecv on the communicator.
    void exchange(int to, int from) const {
        constexpr auto tag = detail::dissemination_tag;
        check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, tag, nullptr, 0, MPI_BYTE, from, tag, comm(), MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    }
    /// Result of MPI_Get_processor_name.
    std::string host_name() const;
    /// First line of MPI_Get_library_version. The further lines of MPICH are its configuration.
    std::string library() const;

private:
    detail::owned_communicator comm_;
    int rank_ = 0;
    int size_ = 0;
    bool oversubscribed_ = false;
    mutable sonde::watchdog watchdog_;
};

/// Parameter type of functions and constructors that use the group's communicator. It refuses a temporary group.
struct group_ref : basic_group_ref<group> {
    using basic_group_ref::basic_group_ref;
    /// The communicator.
    MPI_Comm comm() const { return get().comm(); }
};

/// ControlChannel on the communicator of a group: MPI_Send and MPI_Recv.
class control_channel {
public:
    explicit control_channel(group_ref ranks) : comm_{ranks.comm()}, oversubscribed_{ranks.get().oversubscribed()} {}
    void send(int to, std::span<std::byte const> b) const;
    void receive(int from, std::span<std::byte> b) const;

    /// True if the whole group is oversubscribed, because the ranks of other pairs are busy at the same time.
    bool oversubscribed() const { return oversubscribed_; }

private:
    MPI_Comm comm_;
    bool oversubscribed_;
};

inline mpi::control_channel group::control_channel() const { return mpi::control_channel{*this}; }

/// Rank and size of this process among the ranks of a group on the same host, in the group's order.
struct local_ranks {
    int rank; // of the caller
    int size; // number of ranks

    /// Splits the group by MPI_COMM_TYPE_SHARED (MPI_Comm_split_type), independent of any launcher's environment
    /// variables. Collective over the group.
    static local_ranks of(group const& ranks);
};

/// MPI_Wtime as a clock. OMB and IMB use MPI_Wtime.
struct wtime {
    seconds now() const { return seconds{MPI_Wtime()}; }
    /// Equal on all ranks if MPI_WTIME_IS_GLOBAL, the MPI library's assertion that MPI_Wtime is synchronized.
    std::string domain() const;
};

namespace detail {

// Errors of one rank around a collective call. All ranks throw, so that no rank waits for a rank that has thrown.

int error_class_of(int code);

/// Throws mpi::error on all ranks if a call failed on any rank. A rank whose call failed throws its own error code; the
/// other ranks throw the error class of the first such rank. Collective over the group.
void check_on_all(group const& ranks, int code, char const* routine);

/// Throws std::invalid_argument on all ranks if any rank has a problem with its arguments. `problem` describes it, and
/// is empty if there is no problem. A rank with a problem throws its own text; the other ranks throw the text and the
/// number of the first such rank. Call it before a collective call whose arguments may differ between ranks. Collective
/// over the group.
void require_on_all(group const& ranks, std::string const& problem);

} // namespace detail

} // namespace sonde::mpi

#if SONDE_DEFINITIONS
#include <stdexcept>

namespace sonde::inline v0_1::mpi {

namespace detail {

/// A duplicate of a communicator with its topology, attributes and info hints. MPI_Comm_dup does not copy hints since
/// MPI 4.0; in Open MPI it did not copy them before either. A communicator without hints is duplicated by MPI_Comm_dup,
/// because SMPI 3.32 frees the hints of MPI_Comm_dup_with_info twice. Collective over the communicator.
SONDE_INLINE owned_communicator duplicate_of(MPI_Comm parent) {
    owned_communicator made{MPI_COMM_NULL, free_communicator};
    owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
    check(MPI_Comm_get_info(parent, info.address()), "MPI_Comm_get_info");
    int hints = 0;
    check(MPI_Info_get_nkeys(info.get(), &hints), "MPI_Info_get_nkeys");
    if (hints == 0) check(MPI_Comm_dup(parent, made.address()), "MPI_Comm_dup");
    else check(MPI_Comm_dup_with_info(parent, info.get(), made.address()), "MPI_Comm_dup_with_info");
    return made;
}

SONDE_INLINE owned_communicator ranks_of_host(MPI_Comm comm) {
    owned_communicator host{MPI_COMM_NULL, free_communicator};
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, host.address()), "MPI_Comm_split_type");
    return host;
}

SONDE_INLINE int error_class_of(int code) {
    int found = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &found);
    return found;
}

SONDE_INLINE void check_on_all(group const& ranks, int code, char const* routine) {
    sonde::collectively(
        ranks, [&] { check(code, routine); },
        [&](int first) {
            auto of_first = error_class_of(code);
            sonde::broadcast(ranks, of_first, first);
            return error{routine, of_first};
        });
}

SONDE_INLINE void require_on_all(group const& ranks, std::string const& problem) {
    auto const refuse = [&] {
        if (!problem.empty()) throw std::invalid_argument{problem};
    };
    sonde::collectively(ranks, refuse, [&](int first) {
        auto text = problem;
        sonde::broadcast(ranks, text, first);
        return std::invalid_argument{"rank " + std::to_string(first) + ": " + text};
    });
}

} // namespace detail

SONDE_INLINE group::group(MPI_Comm parent) : comm_{MPI_COMM_NULL, detail::free_communicator} {
    detail::require_running(!detail::is_predefined(parent));
    detail::thread_hold const held{parent};
    if (parent == MPI_COMM_NULL || parent == MPI_Comm{}) // no library has a handle of that value
        throw std::invalid_argument{"sonde::mpi::group: the communicator is null"};
    int inter = 0;
    check(MPI_Comm_test_inter(parent, &inter), "MPI_Comm_test_inter");
    if (inter != 0) throw std::invalid_argument{"sonde::mpi::group: the communicator is an inter-communicator"};
    check(MPI_Comm_rank(parent, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(parent, &size_), "MPI_Comm_size");
    watchdog_.set_rank(rank_);
    sonde::detail::watched_call const watched{*this, "mpi::group"};
    comm_ = detail::duplicate_of(parent);
    check(MPI_Comm_set_errhandler(comm(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (size_ > 1)
        oversubscribed_ = sonde::detail::is_oversubscribed(sonde::group_ref{*this}, sonde::detail::host_number(*this),
                                                           sonde::detail::allowed_processors());
}

SONDE_INLINE detail::thread_hold group::hold() const {
    detail::require_running(true);
    if (size_ == 0) throw std::logic_error{"sonde::mpi::group: the group was moved from"};
    return detail::thread_hold{comm(), true};
}

SONDE_INLINE bool group::allows_threads() const {
    if (detail::not_running_reason(false) != nullptr) return true;
    int level = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&level), "MPI_Query_thread");
    return level >= MPI_THREAD_SERIALIZED;
}

SONDE_INLINE void group::all_reduce(std::span<double> values, reduction how) const {
    auto const op = how == reduction::sum ? MPI_SUM : how == reduction::min ? MPI_MIN : MPI_MAX;
    detail::for_each_piece(values.size(), [&](std::size_t first, int n) {
        check(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, n, MPI_DOUBLE, op, comm()), "MPI_Allreduce");
    });
}

SONDE_INLINE void group::broadcast(std::span<std::byte> bytes, int root) const {
    detail::for_each_piece(bytes.size(), [&](std::size_t first, int n) {
        check(MPI_Bcast(bytes.data() + first, n, MPI_UNSIGNED_CHAR, root, comm()), "MPI_Bcast");
    });
}

SONDE_INLINE void group::gather(std::span<std::byte const> mine, std::span<std::byte> all) const {
    auto const m = detail::count_and_type_of(mine.size(), {MPI_UNSIGNED_CHAR});
    check(MPI_Gather(mine.data(), m.count, m.type, all.data(), m.count, m.type, 0, comm()), "MPI_Gather");
}

SONDE_INLINE std::string group::host_name() const {
    return detail::text_from<MPI_MAX_PROCESSOR_NAME>(MPI_Get_processor_name, "MPI_Get_processor_name");
}

SONDE_INLINE std::string group::library() const {
    auto version =
        detail::text_from<MPI_MAX_LIBRARY_VERSION_STRING>(MPI_Get_library_version, "MPI_Get_library_version");
    version = version.substr(0, version.find('\n'));
    for (auto& c : version)
        if (c == '\t') c = ' ';
    return version;
}

SONDE_INLINE void control_channel::send(int to, std::span<std::byte const> b) const {
    detail::for_each_piece(b.size(), [&](std::size_t first, int n) {
        check(MPI_Send(b.data() + first, n, MPI_UNSIGNED_CHAR, to, detail::control_tag, comm_), "MPI_Send");
    });
}

SONDE_INLINE void control_channel::receive(int from, std::span<std::byte> b) const {
    detail::for_each_piece(b.size(), [&](std::size_t first, int n) {
        check(MPI_Recv(b.data() + first, n, MPI_UNSIGNED_CHAR, from, detail::control_tag, comm_, MPI_STATUS_IGNORE),
              "MPI_Recv");
    });
}

SONDE_INLINE local_ranks local_ranks::of(group const& ranks) {
    auto const host = detail::ranks_of_host(ranks.comm());
    local_ranks local{};
    check(MPI_Comm_rank(host.get(), &local.rank), "MPI_Comm_rank");
    check(MPI_Comm_size(host.get(), &local.size), "MPI_Comm_size");
    return local;
}

SONDE_INLINE std::string wtime::domain() const {
    int initialized = 0;
    // With the sessions model alone there is no MPI_COMM_WORLD to query.
    if (MPI_Initialized(&initialized) != MPI_SUCCESS || initialized == 0) return "";
    int* global = nullptr;
    int known = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known), "MPI_Comm_get_attr");
    return known != 0 && *global != 0 ? "MPI_Wtime" : "";
}

} // namespace sonde::mpi

#endif
