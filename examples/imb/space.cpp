// SPDX-License-Identifier: BSL-1.0
#include "space.hpp"

#include <algorithm>
#include <climits>

namespace imb {

namespace {

constexpr std::size_t line_bytes = 64;

std::size_t over(std::size_t n, std::size_t part) { return (n + part - 1) / part; }

/// IMB's: one to two lines between messages, through twice the cache.
slots cold(std::size_t length, std::size_t most, cache const& c) {
    auto const stride = (over(length, c.line) + 1) * c.line;
    return {std::min(most, over(2 * c.bytes, stride)), stride};
}

std::size_t whole_lines(std::size_t length) { return over(length, line_bytes) * line_bytes; }

slots one_direction(std::size_t length, places const& p, std::size_t repetitions) {
    if (length == 0) return {1, 0};
    if (p.apart) return cold(length, repetitions, *p.apart);
    return p.disjoint ? slots{repetitions, whole_lines(length)} : slots{1, length};
}

std::size_t repetitions_with_room(places const& p) {
    auto const one = whole_lines(p.of_one.send) + whole_lines(p.of_one.receive);
    if (!p.disjoint || p.apart || one == 0) return p.most;
    return std::min(p.most, std::max<std::size_t>(1, p.room / one));
}

} // namespace

space space_of(places const& p) {
    auto const n = repetitions_with_room(p);
    return {one_direction(p.of_one.send, p, n), one_direction(p.of_one.receive, p, n), n};
}

failure failure_of(lengths const& messages, std::size_t element_bytes, space const& s, std::size_t room) {
    if (std::max(messages.send, messages.receive) / element_bytes > INT_MAX) return failure::overflow;
    return s.bytes() > room ? failure::memory : failure::none;
}

std::size_t room_of(options const& asked) { return static_cast<std::size_t>(asked.memory * 0x1p30); }

} // namespace imb
