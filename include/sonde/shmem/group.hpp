// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/affinity.hpp>
#include <sonde/detail/mailbox.hpp>
#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/shmem/memory.hpp>
#include <sonde/shmem/session.hpp>

#include <shmem.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

// Teams and their collectives are part of OpenSHMEM 1.5. Older versions have active sets instead, whose collectives
// take symmetric work arrays.
#if SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5)
#define SONDE_SHMEM_TEAMS 1
#else
#define SONDE_SHMEM_TEAMS 0
#endif

namespace sonde::inline v0_1::shmem {

/// Active set of OpenSHMEM: `size` PEs, from PE `start` on, 2^`log_stride` apart.
struct active_set {
    int start;
    int log_stride;
    int size;

    /// All PEs.
    static active_set all() { return {0, 0, shmem_n_pes()}; }
    /// The PE of a rank of the set.
    int pe(int rank) const { return start + (rank << log_stride); }
    /// The rank of a PE in the set, -1 for a PE that is not in it.
    int rank(int pe) const {
        auto const distance = pe - start;
        auto const found = distance >> log_stride;
        return distance >= 0 && found < size && this->pe(found) == pe ? found : -1;
    }
};

namespace detail {

/// Returns the set. Throws std::invalid_argument for a set that is empty or has a PE outside of the job.
inline active_set require_in_job(active_set set) {
    auto const pes = shmem_n_pes();
    if (set.start < 0 || set.log_stride < 0 || set.log_stride > 30 || set.size < 1 || set.start >= pes ||
        (set.size - 1) > (pes - 1 - set.start) >> set.log_stride)
        throw std::invalid_argument{"sonde::shmem: the active set of " + std::to_string(set.size) + " PEs from PE " +
                                    std::to_string(set.start) + " on, 2^" + std::to_string(set.log_stride) +
                                    " apart, is empty or exceeds the " + std::to_string(pes) + " PEs of the job"};
    return set;
}

#if SONDE_SHMEM_TEAMS

/// The team of an active set. Construction is collective over all PEs, destruction over the set.
class team {
public:
    explicit team(active_set set) {
        shmem_team_t made = SHMEM_TEAM_INVALID;
        check(shmem_team_split_strided(SHMEM_TEAM_WORLD, set.start, 1 << set.log_stride, set.size, nullptr, 0, &made),
              "shmem_team_split_strided");
        team_ = made;
        is_member_ = made != SHMEM_TEAM_INVALID;
    }
    team(team&& other) noexcept : team_{other.team_}, is_member_{std::exchange(other.is_member_, false)} {}
    team& operator=(team&&) = delete;
    ~team() {
        if (is_member_ && !unwinding_.is_unwinding()) shmem_team_destroy(handle());
    }
    shmem_team_t handle() const { return static_cast<shmem_team_t>(team_); }

private:
    void* team_ = nullptr; // shmem_team_t, whose type may have no linkage
    bool is_member_ = false;
    sonde::detail::exception_checker unwinding_;
};

#endif

/// Symmetric arrays of a reduction of up to `most` doubles. There are two arrays of each kind, used in turn. A PE that
/// begins a reduction writes into arrays of the other PEs. These may still use the arrays of the previous reduction,
/// but not those of earlier reductions.
class reduction_arrays {
public:
    static constexpr std::size_t most = 512;

    reduction_arrays() : values_{turns * per_turn} {}
    /// Switch to the other arrays.
    void next() { turn_ = 1 - turn_; }
    double* source() const { return values_.elements().data() + turn_ * per_turn; }
    double* result() const { return source() + most; }

private:
    static constexpr std::size_t turns = 2, per_turn = 2 * most;

    symmetric_array<double> values_;
    std::size_t turn_ = 0;

#if !SONDE_SHMEM_TEAMS
public:
    double* work() const { return work_.elements().data() + turn_ * work_size; }
    long* sync() const { return sync_.elements().data() + turn_ * SHMEM_REDUCE_SYNC_SIZE; }

private:
    static constexpr std::size_t work_size = std::max<std::size_t>(most / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE);

    symmetric_array<double> work_{turns * work_size};
    symmetric_array<long> sync_{turns * SHMEM_REDUCE_SYNC_SIZE, SHMEM_SYNC_VALUE};
#endif
};

} // namespace detail

class control_channel;

/// PEs that measure together: all PEs or an active set. The group uses a team with OpenSHMEM 1.5, and an active set
/// before.
///
/// Constructor and destructor are collective over all PEs, including PEs outside the set, because they allocate and
/// free memory of the symmetric heap (about 20 KiB). All other functions are collective over the set. The library must
/// be initialized, and must not be finalized before the group is destroyed. It works beside a sonde::mpi::group in one
/// program. Throws std::invalid_argument for an active set that is empty or has a PE outside of the job, and
/// heap_exhausted.
class [[nodiscard]] group {
public:
    explicit group(active_set set = active_set::all())
        : set_{detail::require_in_job(set)}, rank_{set_.rank(shmem_my_pe())} {
        if (rank_ >= 0 && set_.size > 1)
            oversubscribed_ = sonde::detail::is_oversubscribed(
                sonde::group_ref{*this}, sonde::detail::host_number(*this), sonde::detail::allowed_processors());
    }

    /// Rank of this PE in the set; -1 on a PE outside the set. Such a PE must not call functions that are collective
    /// over the set.
    int rank() const { return rank_; }
    int size() const { return set_.size; }
    /// The PE of a rank.
    int pe(int rank) const { return set_.pe(rank); }
    /// The PEs of the group.
    active_set const& pes() const { return set_; }
    /// True if on some host the group has more PEs than processors, see mpi::group. Equal on all PEs of the set, and
    /// false outside the set. The constructor determines it by reductions; a group of one PE needs none.
    bool oversubscribed() const { return oversubscribed_; }

    /// True if several threads of this process may call OpenSHMEM, one at a time.
    bool allows_threads() const {
        int level = SHMEM_THREAD_SINGLE;
        shmem_query_thread(&level);
        return level >= SHMEM_THREAD_SERIALIZED;
    }
    /// Messages between two PEs. This call and the destruction of the channel are collective over all PEs.
    [[nodiscard]] shmem::control_channel control_channel() const;
    /// Version of OpenSHMEM, and name of the library.
    std::string library() const {
        int major = 0, minor = 0;
        char name[SHMEM_MAX_NAME_LEN + 1]{};
        shmem_info_get_version(&major, &minor);
        shmem_info_get_name(name);
        return "OpenSHMEM " + std::to_string(major) + '.' + std::to_string(minor) + ", " + name;
    }
    /// The watchdog, see mpi::group. Null in a group of one rank.
    sonde::watchdog* watchdog() { return set_.size > 1 ? &watchdog_ : nullptr; }
    /// Sets how long a rank waits before it reports. See mpi::group.
    void set_watchdog(seconds limit) { watchdog_.set_limit(limit); }
    /// Completes the transfers of the set outside of contexts, as shmem_barrier does, and waits for its PEs.
    void barrier() {
#if SONDE_SHMEM_TEAMS
        shmem_quiet();
        shmem_team_sync(team());
#else
        if (set_.size == shmem_n_pes()) shmem_barrier_all();
        else shmem_barrier(set_.start, set_.log_stride, set_.size, barrier_sync_.elements().data());
#endif
    }
    void all_reduce(std::span<double> values, reduction how) {
        for (; values.size() > detail::reduction_arrays::most; values = values.subspan(detail::reduction_arrays::most))
            reduce(values.first(detail::reduction_arrays::most), how);
        if (!values.empty()) reduce(values, how);
    }

#if SONDE_SHMEM_TEAMS
    /// The team, for OpenSHMEM calls of a user's pattern.
    shmem_team_t team() const { return team_.handle(); }
#endif

private:
    void reduce(std::span<double> values, reduction how) {
        arrays_.next();
        std::copy(values.begin(), values.end(), arrays_.source());
#if SONDE_SHMEM_TEAMS
        auto const call = how == reduction::sum   ? shmem_double_sum_reduce
                          : how == reduction::min ? shmem_double_min_reduce
                                                  : shmem_double_max_reduce;
        call(team(), arrays_.result(), arrays_.source(), values.size());
#else
        auto const call = how == reduction::sum   ? shmem_double_sum_to_all
                          : how == reduction::min ? shmem_double_min_to_all
                                                  : shmem_double_max_to_all;
        call(arrays_.result(), arrays_.source(), static_cast<int>(values.size()), set_.start, set_.log_stride,
             set_.size, arrays_.work(), arrays_.sync());
#endif
        std::copy_n(arrays_.result(), values.size(), values.begin());
    }

    active_set set_;
    int rank_;
    bool oversubscribed_ = false;
    sonde::watchdog watchdog_{watchdog_limit(), rank_};
    detail::reduction_arrays arrays_;
#if SONDE_SHMEM_TEAMS
    detail::team team_{set_};
#else
    symmetric_array<long> barrier_sync_{SHMEM_BARRIER_SYNC_SIZE, SHMEM_SYNC_VALUE};
#endif
};

/// Parameter type of functions and constructors that use the group's team. It refuses a temporary group.
using group_ref = basic_group_ref<group>;

namespace detail {

/// The boxes of a mailbox on the symmetric heap.
class symmetric_boxes {
    struct box {
        long number; // of the latest piece from a rank
        std::byte content[256 - sizeof(long)];
    };

public:
    static constexpr auto longest = sizeof(box::content);

    explicit symmetric_boxes(group const& ranks)
        : pes_{ranks.pes()}, me_{static_cast<std::size_t>(ranks.rank())}, boxes_{static_cast<std::size_t>(pes_.size)},
          read_{static_cast<std::size_t>(pes_.size)} {}
    void wait_until_read(std::size_t rank, long number) { wait(read_.elements()[rank], number); }
    void write(std::size_t rank, std::span<std::byte const> b, long number) {
        auto& to = boxes_.elements()[me_];
        shmem_putmem(to.content, b.data(), b.size(), pe(rank));
        shmem_fence();
        set(to.number, number, rank);
    }
    void wait_for(std::size_t rank, long number) { wait(boxes_.elements()[rank].number, number); }
    std::byte const* content(std::size_t rank) { return boxes_.elements()[rank].content; }
    void acknowledge(std::size_t rank, long number) { set(read_.elements()[me_], number, rank); }

private:
    int pe(std::size_t rank) const { return pes_.pe(static_cast<int>(rank)); }
    static void wait(long& word, long least) { shmem_long_wait_until(&word, SHMEM_CMP_GE, least); }
    void set(long& word, long value, std::size_t rank) const {
        shmem_long_p(&word, value, pe(rank));
        shmem_quiet();
    }

    active_set pes_;
    std::size_t me_;
    symmetric_array<box> boxes_; // by the sender
    symmetric_array<long> read_; // numbers of the latest pieces that the ranks have read
};

} // namespace detail

/// ControlChannel of a group through the symmetric heap: each PE has 256 bytes for each PE of the group. Copies share
/// the memory. Constructor, and destructor of the last copy, are collective over all PEs. Throws heap_exhausted.
class control_channel : public sonde::detail::mailbox<detail::symmetric_boxes> {
public:
    explicit control_channel(group_ref ranks) : mailbox{ranks.get()} {}
};
inline shmem::control_channel group::control_channel() const { return shmem::control_channel{*this}; }

} // namespace sonde::shmem
