// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>

namespace imb::p2p {

/// What a line shows of a record in which every rank counts.
struct figures {
    double microseconds; // rank time of a message: the sum over ranks, by the messages; one way where they take turns
    double megabytes;    // a second, of all messages, by the slowest rank
    double messages;     // a second
};

inline figures figures_of(sonde::record const& r) {
    auto const all_ranks = r.over_ranks.mean.count() * r.ranks;
    auto const slowest = r.over_ranks.max;
    return {1e6 * all_ranks / (static_cast<double>(r.total.messages) * r.total.hops),
            sonde::bandwidth(r, slowest) / 1e6, sonde::message_rate(r, slowest)};
}

} // namespace imb::p2p
