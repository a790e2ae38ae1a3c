// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock/offset.hpp>
#include <sonde/group.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Group of two ranks of a larger group, made without a collective call: pairs of a large group measure at the same
/// time, each with its own stopping rule. The lower rank is rank 0 of the pair.
template <ControlChannel C>
class pair_group {
public:
    /// Called by both ranks. `rank` is the caller. Throws std::invalid_argument if `peer` is the caller.
    pair_group(C channel, int rank, int peer) : channel_{std::move(channel)}, rank_{rank}, peer_{peer} {
        if (rank == peer) throw std::invalid_argument{"sonde::pair_group: the peer is the calling rank"};
    }

    int rank() const { return rank_ < peer_ ? 0 : 1; }
    int size() const { return 2; }
    /// The channel's answer; false if the channel has no such member.
    bool oversubscribed() const { return detail::group_hook::oversubscribed(channel_); }
    void barrier() {
        double nothing = 0;
        all_reduce({&nothing, 1}, reduction::sum);
    }
    /// Both arguments are the other rank of the pair.
    void exchange(int, int) { barrier(); }
    /// Rank 0 of the pair reduces, so that both ranks have the same values to the last bit.
    void all_reduce(std::span<double> v, reduction op) {
        if (rank() == 1) {
            channel_.send(peer_, std::as_bytes(v));
            channel_.receive(peer_, std::as_writable_bytes(v));
            return;
        }
        std::vector<double> other(v.size());
        channel_.receive(peer_, std::as_writable_bytes(std::span{other.data(), other.size()}));
        for (std::size_t i = 0; i != v.size(); ++i)
            v[i] = op == reduction::sum                          ? v[i] + other[i]
                   : (op == reduction::min) == (other[i] < v[i]) ? other[i]
                                                                 : v[i];
        channel_.send(peer_, std::as_bytes(v));
    }

private:
    C channel_;
    int rank_, peer_;
};

} // namespace sonde
