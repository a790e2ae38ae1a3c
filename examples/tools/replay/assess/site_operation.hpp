// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/trace/trace_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tools::replay {

/// A function at a call site, and its time in one operation.
struct site_call {
    std::string call, site;
    double seconds = 0; // mean of the ranks that take part
};

/// What is assessed as a whole: a collective at a call site, or an exchange, the messages between two points at which
/// no message and no request is pending on any rank.
struct site_operation {
    std::string phase;
    bool is_collective = false;
    std::vector<site_call> calls;         // the longest time first
    std::vector<std::vector<step>> steps; // of each rank; empty on ranks that take no part
    double times = 0;                     // in the application
    double median_seconds = 0;            // in the application, of the calls of one operation, mean of these ranks
    double mean_seconds = 0;

    int ranks() const;
    /// Seconds of the application in this operation, mean of its ranks.
    double total_seconds() const { return times * mean_seconds; }
    /// "Allreduce", "Waitall, Isend, Irecv".
    std::string call_text() const;
    /// The call site with the longest time, and how many others there are.
    std::string site_text() const;
};

/// A message of an exchange.
struct exchanged_message {
    int from = 0, to = 0; // ranks of the world
    double bytes = 0;
    friend bool operator==(exchanged_message const&, exchanged_message const&) = default;
};

/// The messages of an exchange, in the order of senders, and of each sender in its order.
std::vector<exchanged_message> messages_of(trace const& t, site_operation const& exchange);

/// Order of a rank's messages in an exchange.
struct message_order {
    bool sends_after_receiving = false; // a message is sent after one was received: it may depend on it
    bool receives_all_first = false;    // each message that it sends is sent after all were received
    bool is_at_once = true;             // all messages are started, and then completed by one call
};
message_order order_of(std::vector<step> const& steps);

} // namespace tools::replay
