// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/hockney.hpp>
#include <sonde/model/piecewise.hpp>
#include <sonde/model/units.hpp>

#include <algorithm>

namespace sonde::model {

/// Latency, overheads, gap, and gap per byte (Alexandrov, Ionescu, Schauser, Scheiman, Journal of Parallel and
/// Distributed Computing 44(1), 1997), with the overheads of sending and receiving apart. A processor that copies takes
/// longer for more bytes: overheads may grow, as in parametrised LogP (Kielmann, Bal, Verstoep, IPDPS 2000).
struct log_gp {
    seconds latency{};                   // L, of the network, without what processors do
    seconds send_overhead{};             // o_s
    seconds receive_overhead{};          // o_r
    seconds gap{};                       // g, between the messages of a process: 1 / g is the message rate
    seconds gap_per_byte{};              // G: 1 / G is the bandwidth
    seconds send_overhead_per_byte{};    // more than o_s, of each byte after the first `overheads_from`
    seconds receive_overhead_per_byte{}; // and than o_r
    bytes overheads_from{1};

    /// What is fitted: the five times of a size, with so many messages where there are many, and one wait.
    struct point {
        bytes size;
        double messages;
        seconds wait;          // d
        seconds one;           // PRTT(1, 0, s)
        seconds many;          // PRTT(n, 0, s)
        seconds spaced;        // PRTT(n, d, s)
        seconds received_one;  // the receiver's T(1)
        seconds received_many; // and T(n), with a wait before each but the first

        /// Of messages that follow each other: g + (s - 1) G where the network is the limit.
        constexpr seconds interval() const { return (many - one) / (messages - 1); }
        /// o_s(s), where the wait is longer than the interval.
        constexpr seconds send_overhead() const { return (spaced - one) / (messages - 1) - wait; }
        /// o_r(s), where the wait is longer than the interval.
        constexpr seconds receive_overhead() const { return (received_many - received_one) / (messages - 1) - wait; }
    };

    /// What a processor does for a message of k bytes: o_s(k), o_r(k).
    constexpr seconds sending(bytes k) const { return send_overhead + grown(k) * send_overhead_per_byte; }
    constexpr seconds receiving(bytes k) const { return receive_overhead + grown(k) * receive_overhead_per_byte; }
    /// The interval of messages of k bytes: max(g + (k - 1) G, o_s, o_r).
    constexpr seconds interval(bytes k) const { return std::max({gap + wire(k), sending(k), receiving(k)}); }
    /// One message, or half a ping-pong: o_s + (k - 1) G + L + o_r; without a byte not less than nothing.
    constexpr seconds time(bytes k) const { return std::max(seconds{}, sending(k) + wire(k) + latency + receiving(k)); }
    constexpr rate bandwidth(bytes k) const { return k / time(k); }
    /// N messages in one direction.
    constexpr seconds time(bytes k, double messages) const { return (messages - 1) * interval(k) + time(k); }
    /// A window of W messages and its acknowledgement of one byte.
    constexpr seconds window_time(bytes k, double messages) const { return time(k, messages) + time(1); }
    /// PRTT(n, d, s): n messages with a busy wait d between them, and one back (Hoefler, Lichei, Rehm, IPDPS 2007).
    constexpr seconds round_trip(double messages, seconds wait, bytes s) const {
        return 2 * time(s) + (messages - 1) * std::max(sending(s) + wait, gap + wire(s));
    }
    /// alpha = L + o_s + o_r - G, 1 / r_inf = G, and what overheads grow by, where they do from the first byte on.
    constexpr hockney as_hockney() const {
        auto const per_byte = gap_per_byte + send_overhead_per_byte + receive_overhead_per_byte;
        return {time(1) - per_byte, rate{1 / per_byte.count()}};
    }

private:
    constexpr seconds wire(bytes k) const { return (k.count() - 1) * gap_per_byte; }
    constexpr double grown(bytes k) const { return std::max(0.0, k.count() - overheads_from.count()); }
};

using piecewise_log_gp = piecewise<log_gp>;

} // namespace sonde::model
