// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <span>

namespace sonde {

/// A reference to a group of any type, for what is compiled before the group is known. Only the control plane goes
/// through its pointers, which is never timed. The group must outlive it.
class any_group {
public:
    template <Group G>
    explicit any_group(G& group)
        : group_{&group}, rank_{group.rank()}, size_{group.size()},
          barrier_{[](void* g) { static_cast<G*>(g)->barrier(); }},
          all_reduce_{
              [](void* g, std::span<double> values, reduction how) { static_cast<G*>(g)->all_reduce(values, how); }} {}

    int rank() const { return rank_; }
    int size() const { return size_; }
    void barrier() const { barrier_(group_); }
    void all_reduce(std::span<double> values, reduction how) const { all_reduce_(group_, values, how); }

private:
    void* group_;
    int rank_;
    int size_;
    void (*barrier_)(void*);
    void (*all_reduce_)(void*, std::span<double>, reduction);
};

} // namespace sonde
