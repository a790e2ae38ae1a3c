// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <climits>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// The targets of one-sided operations and epochs.
///
///     t.each(f)    f(rank) for every target, in order
template <class T>
concept Targets = requires(T const& t, void (*f)(int)) { t.each(f); };

/// One target; no target if the rank is negative.
struct peer {
    int rank; // negative: no target
    /// Calls f with the rank, unless it is negative.
    template <class F>
    void each(F f) const {
        if (rank >= 0) f(rank);
    }
};

/// Several targets.
struct peers {
    std::vector<int> ranks; // in the order of the calls

    /// All other ranks, in ring order from the right neighbor on, so that the ranks do not all begin with the same
    /// target.
    static peers all_others(group const& of) {
        peers others;
        for (int d = 1; d < of.size(); ++d) others.ranks.push_back((of.rank() + d) % of.size());
        return others;
    }
    /// Calls f with each rank.
    template <class F>
    void each(F f) const {
        for (auto const rank : ranks) f(rank);
    }
};

namespace detail {

/// All ranks of a window.
inline owned_handle<MPI_Group> group_of(MPI_Win win) {
    owned_handle<MPI_Group> all{MPI_GROUP_NULL, release_group};
    check(MPI_Win_get_group(win, all.address()), "MPI_Win_get_group");
    return all;
}

/// The ranks of the targets, in order. Throws std::invalid_argument for a rank outside of the window's group and for a
/// repeated rank, because an MPI library ends the job for such ranks or does not check them.
std::vector<int> ranks_of(Targets auto const& targets, owned_handle<MPI_Group> const& group) {
    std::vector<int> found;
    int size = 0;
    check(MPI_Group_size(group.get(), &size), "MPI_Group_size");
    targets.each([&](int rank) {
        auto const target = "sonde::mpi: target " + std::to_string(rank);
        if (rank < 0 || rank >= size)
            throw std::invalid_argument{target + " is none of the ranks 0 to " + std::to_string(size - 1)};
        for (auto const other : found)
            if (other == rank) throw std::invalid_argument{target + " is named twice"};
        found.push_back(rank);
    });
    return found;
}

} // namespace detail

/// The addresses and displacements of a one-sided operation that moves one block per target and transfer.
///
/// Transfer i begins i blocks into the memory of the origin, and i blocks into the window memory of each target.
/// Results that n targets return do not overlap: the result of target k begins n i + k blocks into the memory of the
/// origin.
template <Targets T = peer>
class target_layout {
public:
    /// Throws std::invalid_argument for a target outside of the window's group, a repeated target and a null datatype;
    /// std::length_error for more elements than an int counts, before MPI 4.0, and than a region can hold.
    target_layout(ViewableWindow auto&& w, T const& targets, block each)
        : win_{w.handle()}, layout_{each.type}, type_{each.type}, count_{each.count},
          stride_{layout_.extent(each.count)} {
        detail::require_counted(count_);
        layout_.require_addressable(count_);
        for (auto const rank : detail::ranks_of(targets, detail::group_of(win_))) {
            target const found{rank, w.base(rank)};
            if constexpr (is_single) targets_ = found;
            else targets_.push_back(found);
            limit(window_capacity_, transfers_in(w.size(rank)));
        }
    }

    /// Calls f(rank, displacement, k) for each target k of transfer i.
    template <class F>
    void each(std::size_t i, F f) const {
        auto const at = [&](MPI_Aint base) { return detail::displaced(base, i * stride_); };
        if constexpr (is_single) {
            if (targets_.rank >= 0) f(targets_.rank, at(targets_.base), std::size_t{0});
        } else {
            for (std::size_t k = 0; k != targets_.size(); ++k) f(targets_[k].rank, at(targets_[k].base), k);
        }
    }
    /// The address of transfer i in memory that the origin sends from.
    std::byte* address(opaque_region memory, std::size_t i) const { return memory.data() + i * stride_; }
    /// The address of the result of target k of transfer i.
    std::byte* result_address(opaque_region memory, std::size_t i, std::size_t k) const {
        return address(memory, i * targets() + k);
    }

    /// The number of transfers that fit into the window memory of all targets, and into the memory that is sent from.
    template <class... Sent>
    std::size_t capacity(Sent... sent) const {
        auto most = window_capacity_;
        (limit(most, transfers_in(sent.size())), ...);
        return most;
    }
    /// The same, limited also by the memory for results.
    template <class... Sent>
    std::size_t capacity_with_results(opaque_region results, Sent... sent) const {
        auto most = capacity(sent...);
        limit(most, transfers_in(results.size()) / at_least_one());
        return most;
    }
    /// The traffic of one transfer; without a target, the traffic of a transfer to one target.
    sonde::traffic traffic() const { return {at_least_one() * layout_.size(count_), at_least_one(), 1}; }
    /// Number of targets.
    std::size_t targets() const {
        if constexpr (is_single) return targets_.rank < 0 ? 0 : 1;
        else return targets_.size();
    }
    /// The window.
    MPI_Win win() const { return win_; }
    /// Datatype of an element.
    MPI_Datatype type() const { return type_; }
    /// Number of elements in a block, for a function with or without large counts.
    detail::count_argument count() const { return {count_}; }
    /// True if the number of elements exceeds an int.
    bool is_large() const { return count_ > INT_MAX; }

private:
    struct target {
        int rank = -1;
        MPI_Aint base = 0;
    };
    static constexpr bool is_single = std::same_as<T, peer>; // saves a loop in an operation that takes about 50 ns

    static void limit(std::size_t& most, std::size_t to) {
        if (to < most) most = to;
    }
    std::size_t at_least_one() const { return targets() == 0 ? 1 : targets(); }
    std::size_t transfers_in(std::size_t bytes) const {
        auto const one = layout_.span(count_);
        if (one == 0) return static_cast<std::size_t>(-1);
        if (bytes < one) return 0;
        return stride_ == 0 ? 1 : (bytes - one) / stride_ + 1; // without extent, all transfers lie at one place
    }

    MPI_Win win_;
    detail::element_layout layout_;
    MPI_Datatype type_;
    std::size_t count_;
    std::size_t stride_;
    std::size_t window_capacity_ = static_cast<std::size_t>(-1);
    std::conditional_t<is_single, target, std::vector<target>> targets_;
};

} // namespace sonde::mpi
