// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <concepts>
#include <stdexcept>
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

/// The ranks of some targets as an MPI_Group, freed at the end.
class target_group {
public:
    template <Targets T>
    target_group(group const& ranks, T const& targets) {
        std::vector<int> members;
        targets.each([&](int rank) { members.push_back(rank); });
        MPI_Group all = MPI_GROUP_NULL;
        check(MPI_Comm_group(ranks.comm(), &all), "MPI_Comm_group");
        auto const code = MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group_);
        MPI_Group_free(&all);
        check(code, "MPI_Group_incl");
    }
    target_group(target_group&& other) noexcept : group_{std::exchange(other.group_, MPI_GROUP_NULL)} {}
    target_group& operator=(target_group&&) = delete;
    ~target_group() {
        if (group_ != MPI_GROUP_NULL && group_ != MPI_GROUP_EMPTY) MPI_Group_free(&group_);
    }
    MPI_Group get() const { return group_; }

private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

} // namespace detail

} // namespace sonde::mpi
