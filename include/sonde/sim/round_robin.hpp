// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sonde::sim::detail {

/// A message on its way out of a node.
struct shipment {
    channel way;
    picoseconds ready; // its data may flow
    std::size_t left;  // bytes that have not left yet
    std::vector<std::byte> content;
};

/// What waits for one lane: a rank's messages one after the other, different ranks' in turns. It is the turn of whose
/// message has waited longest, since it was ready or since its last chunk; at equal times of who had no chunk then, and
/// of the lowest rank.
class round_robin {
public:
    void add(shipment s) { lines_[s.way.from].messages.push_back(std::move(s)); }
    /// When the next chunk may flow; picoseconds::max() where there is none.
    picoseconds ready() const { return lines_.empty() ? picoseconds::max() : first()->second.since(); }
    /// Whose chunk that is.
    shipment const& front() const { return first()->second.messages.front(); }
    /// So many bytes of the front leave until then; the message, where these were its last.
    std::optional<shipment> take(std::size_t bytes, picoseconds until) {
        auto& turn = lines_[first()->first];
        turn.served = until;
        auto& message = turn.messages.front();
        message.left -= bytes;
        if (message.left != 0) return {};
        std::optional whole{std::move(message)};
        turn.messages.pop_front();
        return whole;
    }

private:
    struct line {
        std::deque<shipment> messages{};
        picoseconds served{}; // the end of its last chunk

        picoseconds since() const {
            return messages.empty() ? picoseconds::max() : std::max(messages.front().ready, served);
        }
        std::pair<picoseconds, bool> order() const { return {since(), since() == served}; }
    };
    using lines = std::map<int, line>; // of each rank

    lines::const_iterator first() const {
        return std::min_element(lines_.begin(), lines_.end(),
                                [](auto& a, auto& b) { return a.second.order() < b.second.order(); });
    }

    lines lines_;
};

} // namespace sonde::sim::detail
