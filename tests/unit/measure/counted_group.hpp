// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <cstddef>
#include <span>

namespace truth {

/// Collective calls of one rank, and the numbers (doubles) or bytes that it passes to them.
struct group_calls {
    std::size_t barriers = 0;
    std::size_t reductions = 0;
    std::size_t reduced = 0; // numbers
    std::size_t gathers = 0;
    std::size_t gathered = 0; // bytes of this rank
    std::size_t received = 0; // bytes of all ranks
    std::size_t broadcasts = 0;
    std::size_t broadcast = 0; // bytes

    friend bool operator==(group_calls const&, group_calls const&) = default;
};

/// A group that counts its calls.
template <sonde::Group G>
class counted_group {
public:
    explicit counted_group(G& inner) : inner_{&inner} {}

    int rank() const { return inner_->rank(); }
    int size() const { return inner_->size(); }
    void barrier() {
        ++calls.barriers;
        inner_->barrier();
    }
    void all_reduce(std::span<double> values, sonde::reduction how) {
        ++calls.reductions;
        calls.reduced += values.size();
        inner_->all_reduce(values, how);
    }
    void broadcast(std::span<std::byte> bytes, int root) {
        ++calls.broadcasts;
        calls.broadcast += bytes.size();
        sonde::broadcast(*inner_, bytes, root);
    }
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) {
        ++calls.gathers;
        calls.gathered += mine.size();
        calls.received += all.size();
        auto const bytes = sonde::gather(*inner_, mine);
        for (std::size_t i = 0; i != all.size(); ++i) all[i] = bytes->at(i);
    }

    group_calls calls;

private:
    G* inner_;
};

} // namespace truth
