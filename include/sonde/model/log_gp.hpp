// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/hockney.hpp>
#include <sonde/model/units.hpp>

#include <algorithm>

namespace sonde::model {

/// LogGP model: latency, overhead, gap and gap per byte (Alexandrov, Ionescu, Schauser, Scheiman, Journal of Parallel
/// and Distributed Computing 44(1), 1997), with separate overheads of sending and receiving. An overhead may grow
/// linearly with the message size, as in parametrized LogP (Kielmann, Bal, Verstoep, IPDPS 2000), because a processor
/// that copies takes longer for more bytes.
struct log_gp {
    seconds latency{};                   // L, of the network, without the overheads
    seconds send_overhead{};             // o_s at `reference_size`
    seconds receive_overhead{};          // o_r at `reference_size`
    seconds gap{};                       // g, minimum interval between messages of a process; 1 / g: message rate
    seconds gap_per_byte{};              // G; 1 / G: bandwidth
    seconds send_overhead_per_byte{};    // growth of o_s with each byte above `reference_size`
    seconds receive_overhead_per_byte{}; // growth of o_r
    bytes reference_size{1};

    /// Observation for a fit: the five times of one message size (Hoefler, Lichei, Rehm, IPDPS 2007).
    struct point {
        bytes size;        // s
        double messages;   // n
        seconds wait;      // d, busy wait between messages
        seconds prtt_1;    // PRTT(1, 0, s)
        seconds prtt_n;    // PRTT(n, 0, s)
        seconds prtt_nd;   // PRTT(n, d, s)
        seconds receive_1; // T(1), of the receiver
        seconds receive_n; // T(n), of the receiver, with a wait before each message but the first

        /// Interval between consecutive messages: g + (s - 1) G where the network is the limit.
        constexpr seconds interval() const { return (prtt_n - prtt_1) / (messages - 1); }
        /// o_s(s), if the wait is longer than the interval.
        constexpr seconds send_overhead() const { return (prtt_nd - prtt_1) / (messages - 1) - wait; }
        /// o_r(s), if the wait is longer than the interval.
        constexpr seconds receive_overhead() const { return (receive_n - receive_1) / (messages - 1) - wait; }
    };

    /// Processor time for a message of k bytes: o_s(k), o_r(k).
    constexpr seconds send_overhead_at(bytes k) const { return send_overhead + growth(k) * send_overhead_per_byte; }
    constexpr seconds receive_overhead_at(bytes k) const {
        return receive_overhead + growth(k) * receive_overhead_per_byte;
    }
    /// Interval between consecutive messages of k bytes: max(g + (k - 1) G, o_s, o_r).
    constexpr seconds interval(bytes k) const {
        return std::max({gap + wire_time(k), send_overhead_at(k), receive_overhead_at(k)});
    }
    /// One message, or half a ping-pong: o_s + (k - 1) G + L + o_r; at least 0, even for 0 bytes.
    constexpr seconds time(bytes k) const {
        return std::max(seconds{}, send_overhead_at(k) + wire_time(k) + latency + receive_overhead_at(k));
    }
    constexpr rate bandwidth(bytes k) const { return k / time(k); }
    /// Consecutive messages in one direction.
    constexpr seconds time(bytes k, double messages) const { return (messages - 1) * interval(k) + time(k); }
    /// A window of messages and its acknowledgment of one byte.
    constexpr seconds window_time(bytes k, double messages) const { return time(k, messages) + time(1); }
    /// Parametrized round trip PRTT(n, d, s): n messages with a busy wait d between them, and one message back.
    constexpr seconds prtt(double messages, seconds wait, bytes s) const {
        return 2 * time(s) + (messages - 1) * std::max(send_overhead_at(s) + wait, gap + wire_time(s));
    }

private:
    constexpr seconds wire_time(bytes k) const { return (k.count() - 1) * gap_per_byte; }
    constexpr double growth(bytes k) const { return std::max(0.0, k.count() - reference_size.count()); }
};

using piecewise_log_gp = piecewise<log_gp>;

} // namespace sonde::model
