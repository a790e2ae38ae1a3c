// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Whom one-sided operations reach.
///
///     t.each(f)    f(rank) for every target, in order
template <class T>
concept Targets = requires(T const& t, void (*f)(int)) { t.each(f); };

/// One rank; a negative one is nobody.
struct peer {
    int rank;
    template <class F>
    void each(F f) const {
        if (rank >= 0) f(rank);
    }
};

/// Several ranks. `all_others` goes round from the right neighbour, so that not all ranks begin with the same.
struct peers {
    std::vector<int> ranks;

    static peers all_others(group const& of) {
        peers found;
        for (int d = 1; d < of.size(); ++d) found.ranks.push_back((of.rank() + d) % of.size());
        return found;
    }
    template <class F>
    void each(F f) const {
        for (auto const rank : ranks) f(rank);
    }
};

namespace detail {

/// The ranks of a window, or some of them; freed at the end.
class rank_group {
public:
    explicit rank_group(MPI_Win win) { check(MPI_Win_get_group(win, &group_), "MPI_Win_get_group"); }
    rank_group(rank_group const& all, std::vector<int> const& members) {
        check(MPI_Group_incl(all.group_, static_cast<int>(members.size()), members.data(), &group_), "MPI_Group_incl");
    }
    rank_group(rank_group&& other) noexcept : group_{std::exchange(other.group_, MPI_GROUP_NULL)} {}
    rank_group& operator=(rank_group&&) = delete;
    ~rank_group() {
        if (group_ != MPI_GROUP_NULL && group_ != MPI_GROUP_EMPTY) MPI_Group_free(&group_);
    }
    int size() const {
        int n = 0;
        check(MPI_Group_size(group_, &n), "MPI_Group_size");
        return n;
    }
    MPI_Group get() const { return group_; }

private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

/// The targets, each once. Throws std::invalid_argument for one that is no rank of the window, or is named twice: the
/// MPI library would end the job, or not look.
template <Targets T>
std::vector<int> ranks_of(T const& targets, rank_group const& all) {
    std::vector<int> found;
    auto const ranks = all.size();
    targets.each([&](int rank) {
        if (rank < 0 || rank >= ranks)
            throw std::invalid_argument{"sonde::mpi: target " + std::to_string(rank) + " is none of the ranks 0 to " +
                                        std::to_string(ranks - 1)};
        for (auto const before : found)
            if (before == rank)
                throw std::invalid_argument{"sonde::mpi: target " + std::to_string(rank) + " is named twice"};
        found.push_back(rank);
    });
    return found;
}

/// A value for each target: f(rank, value, k) for target k, in order.
template <Targets T, class V>
class for_targets {
public:
    template <class ValueOf>
    for_targets(std::vector<int> const& ranks, ValueOf value_of) {
        for (auto const rank : ranks) all_.push_back({rank, value_of(rank)});
    }
    std::size_t size() const { return all_.size(); }
    template <class F>
    void each(F f) const {
        for (std::size_t k = 0; k != all_.size(); ++k) f(all_[k].rank, all_[k].value, k);
    }

private:
    struct target {
        int rank;
        V value;
    };
    std::vector<target> all_;
};

/// Of one rank without a loop: in the timed code of operations that take 50 ns.
template <class V>
class for_targets<peer, V> {
public:
    template <class ValueOf>
    for_targets(std::vector<int> const& ranks, ValueOf value_of) {
        if (ranks.empty()) return;
        rank_ = ranks.front();
        value_ = value_of(rank_);
    }
    std::size_t size() const { return rank_ < 0 ? 0 : 1; }
    template <class F>
    void each(F f) const {
        if (rank_ >= 0) f(rank_, value_, std::size_t{0});
    }

private:
    int rank_ = -1;
    V value_{};
};

} // namespace detail

} // namespace sonde::mpi
