// SPDX-License-Identifier: BSL-1.0
#include "exchange.hpp"

#include <array>

namespace fake {

static std::size_t advance(member& me, transfer& one) {
    auto const self = static_cast<std::size_t>(me.rank), peer = static_cast<std::size_t>(one.peer);
    auto const n = one.sends ? me.shared->rings[self][peer].put(one.at, one.left)
                             : me.shared->rings[peer][self].take(one.at, one.left);
    one.at += n;
    one.left -= n;
    return n;
}

/// Moves data of the first incomplete transfer of each peer and direction; returns the number of bytes.
static std::size_t advance(member& me, std::vector<transfer>& all) {
    std::array<std::array<bool, most_ranks>, 2> busy{};
    std::size_t moved = 0;
    for (auto& one : all) {
        auto& first = busy[one.sends ? 1 : 0][static_cast<std::size_t>(one.peer)];
        if (!first && one.left != 0) moved += advance(me, one);
        first = first || one.left != 0;
    }
    return moved;
}

void exchange(member& me, std::vector<transfer> all) {
    while (std::erase_if(all, [](auto const& one) { return one.left == 0; }), !all.empty() && !me.aborted)
        if (advance(me, all) == 0) rest();
}

} // namespace fake
