// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

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

/// The same targets, looked at as above.
template <Targets T>
T checked(T targets, MPI_Win win) {
    ranks_of(targets, rank_group{win});
    return targets;
}

} // namespace detail

} // namespace sonde::mpi
