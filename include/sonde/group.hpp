// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <span>

namespace sonde {

enum class reduction : unsigned char { sum, min, max };

/// The ranks that measure together: the control plane, never timed.
///
///     g.rank()                 int, 0 to size - 1
///     g.size()                 int
///     g.barrier()              collective over the group
///     g.all_reduce(v, op)      collective: v (span<double>, equally long on all ranks) is combined element by element
///     g.allows_threads()       optional: may several threads of this process call it, one at a time? true by default
template <class G>
concept Group = requires(G& g, std::span<double> v) {
    { g.rank() } -> std::convertible_to<int>;
    { g.size() } -> std::convertible_to<int>;
    g.barrier();
    g.all_reduce(v, reduction::sum);
};

/// A group of one: measures code without communication.
struct solo {
    int rank() const { return 0; }
    int size() const { return 1; }
    void barrier() const {}
    void all_reduce(std::span<double>, reduction) const {}
};

/// Give every rank rank 0's values. Collective over the group.
template <Group G>
void share(G& group, std::span<double> values) {
    if (group.rank() != 0)
        for (auto& v : values) v = 0;
    group.all_reduce(values, reduction::sum);
}

} // namespace sonde
