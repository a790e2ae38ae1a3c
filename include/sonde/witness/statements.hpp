// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>
#include <sonde/witness/carried_traffic.hpp>
#include <sonde/witness/counters.hpp>

#include <optional>
#include <string>
#include <vector>

// Which device carried the messages, and what else was on it: of numbers alone.

namespace sonde::inline v0_1 {

/// Devices of the hosts with one name and kind.
struct device_share {
    device_traffic device;  // name, kind, state, rate of the first; retransmissions of all
    double bytes = 0;       // half of what all of them sent and received, less the bytes of interfaces above them
    double share = 0;       // of the bytes of all devices, 0 to 1
    bool is_counted = true; // false if the bytes of one of them are not known
};

/// The devices of all hosts, the one with the most bytes first. What hosts send to themselves ("loopback") is not among
/// them.
[[nodiscard]] std::vector<device_share> device_shares(carried_traffic const& carried);

/// Add what was carried in another measurement of the same hosts. Bytes that are unknown in one of them are unknown.
void add(carried_traffic& to, carried_traffic const& other);

/// What is wrong with the way of the messages, in sentences; none if nothing is. A sentence needs two hosts, an effect,
/// and bytes that no chatter of a host explains (1 MB, and half of the bytes that the pattern moved where they are
/// known):
///
/// - A device carried half of the bytes or more, while a better one that is up carried less than a hundredth of that:
/// it
///   is twice as fast, or an RDMA device that is as fast beside an interface of the kernel's network.
/// - TCP, whose interfaces carried the messages, or a device that did, sent 0.1 % of its segments again, and at least
///   10, segments that had arrived not counted. A healthy network loses fewer than 1 in 10^5, so that Poisson's
///   probability of this is below 10^-7; of 0.1 %, TCP's bandwidth suffers (Mathis' formula).
/// - The hosts sent, or received, more than the messages: by 10 %, 256 bytes a message and 1 MB. Headers are 5 % of
///   Ethernet's frames of 1500 bytes; messages that share a frame are cheaper. Where the pattern's bytes are not known,
///   the hosts received more than they sent, or the reverse, by as much.
[[nodiscard]] std::vector<std::string> transport_statements(carried_traffic const& carried);

/// The devices that carried at least 1 % of the bytes, with their shares, in one line, and the counters that could not
/// be read: "98 % of 1.2 GB: eth0 (interface, 10 Gbit/s, up); ...". "no device" if all messages stayed within hosts.
[[nodiscard]] std::string transport_text(carried_traffic const& carried);

/// Why the messages did not go over a device; empty if they did. `name` is the device's ("mlx5_0"), the one of its port
/// ("mlx5_0/1"), or several with commas. They must have carried nine tenths of the bytes of the pattern, or of all
/// devices where those are not known, and 16 bytes a message or iteration. Messages within a host go over no device.
[[nodiscard]] std::optional<std::string> not_carried_by(carried_traffic const& carried, std::string const& name);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace sonde::inline v0_1 {

namespace detail {

inline constexpr double chatter_bytes = 1e6;

/// "1.2 GB"
SONDE_INLINE std::string data_text(double bytes) {
    constexpr char const* units[] = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit != 4; ++unit) bytes /= 1000;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %s", bytes < 9.95 && unit != 0 ? 1 : 0, bytes, units[unit]);
    return text;
}

/// "98 %". A share that is not exactly 0 or 1 is never "0 %" or "100 %".
SONDE_INLINE std::string share_text(double share) {
    if (share > 0 && share < 0.005) return "under 1 %";
    if (share < 1 && share >= 0.995) return "over 99 %";
    return std::to_string(std::lround(100 * share)) + " %";
}

/// "mlx5_0/1 (InfiniBand, 200 Gbit/s, active)"
SONDE_INLINE std::string device_text(device_traffic const& device) {
    auto text = device.name + " (" + device.kind;
    if (device.gigabits_per_second) {
        char rate[32];
        std::snprintf(rate, sizeof rate, ", %g Gbit/s", *device.gigabits_per_second);
        text += rate;
    }
    return text + (device.state.empty() ? ")" : ", " + device.state + ")");
}

/// Add a number that may be missing to one that may be.
SONDE_INLINE void add(std::optional<std::uint64_t>& to, std::optional<std::uint64_t> const& more) {
    if (more) to = to.value_or(0) + *more;
}

SONDE_INLINE double number(std::optional<std::uint64_t> const& n) { return static_cast<double>(n.value_or(0)); }
SONDE_INLINE double bytes_of(device_traffic const& device) {
    return (number(device.sent_bytes) + number(device.received_bytes)) / 2;
}

/// True for a device by its name, or by the name before its port.
SONDE_INLINE bool is_called(device_traffic const& device, std::string const& name) {
    return device.name == name || device.name.compare(0, name.size() + 1, name + '/') == 0;
}

/// True for a device by one of the names, which have commas between them.
SONDE_INLINE bool is_one_of(device_traffic const& device, std::string const& names) {
    for (std::size_t at = 0; at <= names.size();) {
        auto const name = names.substr(at, names.find(',', at) - at);
        if (is_called(device, name)) return true;
        at += name.size() + 1;
    }
    return false;
}

/// The devices of this name and kind on the hosts so far.
SONDE_INLINE device_share& share_of(std::vector<device_share>& all, device_traffic const& device) {
    for (auto& one : all)
        if (one.device.name == device.name && one.device.kind == device.kind) return one;
    auto& added = all.emplace_back(device_share{device});
    added.device.sent_packets.reset();
    added.device.retransmissions.reset();
    return added;
}

/// Add the devices of a host.
SONDE_INLINE void add_devices(std::vector<device_share>& all, host_traffic const& host) {
    for (auto const& device : host.devices) {
        if (device.kind == "loopback") continue;
        auto& one = share_of(all, device);
        add(one.device.sent_packets, device.sent_packets);
        add(one.device.retransmissions, device.retransmissions);
        auto bytes = bytes_of(device);
        for (auto const& above : host.devices)
            if (!above.below.empty() && is_called(device, above.below)) bytes -= bytes_of(above);
        one.bytes += bytes > 0 ? bytes : 0;
        one.is_counted = one.is_counted && (device.sent_bytes || device.received_bytes);
    }
}

/// Add what a device carried in another measurement.
SONDE_INLINE void add_numbers(device_traffic& to, device_traffic other) {
    for (auto what = 0; what != 7; ++what) {
        auto& sum = number_of(to, static_cast<quantity>(what));
        auto const& more = number_of(other, static_cast<quantity>(what));
        if (sum && more) *sum += *more;
        else sum.reset();
    }
}

SONDE_INLINE void add_host(host_traffic& to, host_traffic const& other) {
    for (auto const& device : other.devices) {
        auto same = to.devices.begin();
        while (same != to.devices.end() && (same->name != device.name || same->kind != device.kind)) ++same;
        if (same == to.devices.end()) to.devices.push_back(device);
        else add_numbers(*same, device);
    }
    add(to.tcp_segments, other.tcp_segments);
    add(to.tcp_retransmissions, other.tcp_retransmissions);
    for (auto const& why : other.unread) {
        auto is_known = false;
        for (auto const& known : to.unread) is_known = is_known || known == why;
        if (!is_known) to.unread.push_back(why);
    }
}

/// What the hosts sent and received in all.
struct host_sums {
    double sent = 0, received = 0;
};

/// Sums of the devices that no other device counts, without loopback.
SONDE_INLINE host_sums sums_of(carried_traffic const& carried) {
    host_sums sums;
    for (auto const& host : carried.hosts)
        for (auto const& device : host.devices) {
            if (device.kind == "loopback" || !device.below.empty()) continue;
            sums.sent += number(device.sent_bytes);
            sums.received += number(device.received_bytes);
        }
    return sums;
}

SONDE_INLINE double all_bytes(std::vector<device_share> const& shares) {
    double sum = 0;
    for (auto const& one : shares) sum += one.bytes;
    return sum;
}

SONDE_INLINE bool is_of_kernel(device_traffic const& device) {
    return device.kind == "interface" || device.kind == "IPoIB";
}

/// True if messages would better have gone over `other`.
SONDE_INLINE bool is_better(device_share const& other, device_share const& used) {
    auto const& a = other.device;
    auto const& b = used.device;
    auto const is_up = a.state == "up" || a.state == "active";
    auto const rate = a.gigabits_per_second.value_or(0), beside = b.gigabits_per_second.value_or(0);
    auto const is_fast = beside > 0 && (rate >= 2 * beside || (is_of_kernel(b) && !is_of_kernel(a) && rate >= beside));
    return is_up && is_fast && other.is_counted && other.bytes < 0.01 * used.bytes;
}

SONDE_INLINE std::string way_text(device_share const& used, double all) {
    return share_text(used.share) + " of " + data_text(all) + " went over " + device_text(used.device);
}

/// Bytes from which on a device counts as used: 1 MB, or half of the bytes of the pattern if these are more.
SONDE_INLINE double least_bytes(carried_traffic const& carried) {
    auto const half = carried.bytes.value_or(0) / 2;
    return half > chatter_bytes ? half : chatter_bytes;
}

SONDE_INLINE void add_better_devices(carried_traffic const& carried, std::vector<std::string>& to) {
    auto const shares = device_shares(carried);
    auto const all = all_bytes(shares);
    if (carried.hosts.size() < 2 || shares.empty()) return;
    auto const& used = shares.front();
    if (used.share < 0.5 || used.bytes < least_bytes(carried)) return;
    std::string better;
    for (auto const& other : shares)
        if (is_better(other, used)) better += (better.empty() ? "" : ", ") + device_text(other.device);
    if (!better.empty()) to.push_back(way_text(used, all) + "; " + better + " carried nothing");
}

SONDE_INLINE bool is_frequent(double again, double all) { return again >= 10 && again >= 0.001 * all; }

SONDE_INLINE void add_retransmissions(carried_traffic const& carried, std::vector<std::string>& to) {
    if (carried.hosts.size() < 2) return;
    double segments = 0, again = 0;
    for (auto const& host : carried.hosts) {
        segments += number(host.tcp_segments);
        again += number(host.tcp_retransmissions);
    }
    auto const sentence = [&](std::string const& who, double count, double of, char const* what) {
        auto const sums = sums_of(carried);
        char text[64];
        std::snprintf(text, sizeof text, " sent %.0f of %.0f %s again", count, of, what);
        to.push_back(who + text + ": " + data_text(sums.sent) + " were sent" +
                     (carried.bytes ? " for " + data_text(*carried.bytes) + " of messages" : std::string{}));
    };
    auto const shares = device_shares(carried);
    device_share of_kernel;
    for (auto const& one : shares)
        if (is_of_kernel(one.device)) of_kernel.bytes += one.bytes, of_kernel.share += one.share;
    auto const is_used = [&](device_share const& one) { return one.share >= 0.5 && one.bytes >= least_bytes(carried); };
    if (is_used(of_kernel) && is_frequent(again, segments)) sentence("TCP", again, segments, "segments");
    for (auto const& one : shares) {
        if (!is_used(one)) continue;
        auto const count = number(one.device.retransmissions), packets = number(one.device.sent_packets);
        if (is_frequent(count, packets)) sentence(one.device.name, count, packets, "packets");
    }
}

SONDE_INLINE void add_other_traffic(carried_traffic const& carried, std::vector<std::string>& to) {
    auto const shares = device_shares(carried);
    auto const [sent, received] = sums_of(carried);
    if (carried.hosts.size() < 2 || shares.empty()) return;
    for (auto const& one : shares)
        if (!one.is_counted && one.share > 0) return;
    auto const allowed = [&](double moved) { return 1.1 * moved + chatter_bytes + 256 * carried.messages.value_or(0); };
    auto const more = sent > received ? sent : received;
    auto const moved = carried.bytes ? *carried.bytes : sent > received ? received : sent;
    if (carried.bytes && sent < 0.9 * moved) return; // the messages went another way, which is not counted
    if (more <= allowed(moved)) return;
    auto const of = carried.bytes ? data_text(moved) + " of messages"
                                  : data_text(moved) + " that the hosts " + (sent > received ? "received" : "sent");
    to.push_back("other traffic of " + data_text(more - moved) + " was on " + device_text(shares.front().device) +
                 ", beside " + of);
}

} // namespace detail

SONDE_INLINE std::vector<device_share> device_shares(carried_traffic const& carried) {
    std::vector<device_share> all;
    for (auto const& host : carried.hosts) detail::add_devices(all, host);
    auto const sum = detail::all_bytes(all);
    for (auto& one : all) one.share = sum > 0 ? one.bytes / sum : 0;
    for (std::size_t i = 1; i < all.size(); ++i) // insertion: there are a few
        for (auto k = i; k != 0 && all[k].bytes > all[k - 1].bytes; --k) std::swap(all[k], all[k - 1]);
    return all;
}

SONDE_INLINE std::vector<std::string> transport_statements(carried_traffic const& carried) {
    std::vector<std::string> all;
    detail::add_better_devices(carried, all);
    auto const before = all.size();
    detail::add_retransmissions(carried, all);
    if (all.size() == before)
        detail::add_other_traffic(carried, all); // segments that are sent again are no other traffic
    return all;
}

SONDE_INLINE void add(carried_traffic& to, carried_traffic const& other) {
    for (std::size_t i = 0; i != other.hosts.size(); ++i)
        if (i < to.hosts.size() && to.hosts[i].host == other.hosts[i].host)
            detail::add_host(to.hosts[i], other.hosts[i]);
        else to.hosts.push_back(other.hosts[i]);
    to.iterations += other.iterations;
    for (auto const number : {&carried_traffic::bytes, &carried_traffic::messages})
        if (to.*number && other.*number) *(to.*number) += *(other.*number);
        else (to.*number).reset();
}

SONDE_INLINE std::string transport_text(carried_traffic const& carried) {
    auto const shares = device_shares(carried);
    auto const sum = detail::all_bytes(shares);
    std::string text;
    for (auto const& one : shares)
        if (one.share >= 0.01)
            text += (text.empty() ? detail::share_text(one.share) + " of " + detail::data_text(sum)
                                  : "; " + detail::share_text(one.share)) +
                    ": " + detail::device_text(one.device);
    if (text.empty()) text = "no device";
    for (auto const& host : carried.hosts)
        for (auto const& why : host.unread) text += "; " + host.host + ": " + why;
    return text;
}

SONDE_INLINE std::optional<std::string> not_carried_by(carried_traffic const& carried, std::string const& name) {
    if (carried.hosts.size() < 2) return name + " carried no messages, which stayed within a host";
    auto const shares = device_shares(carried);
    auto const sum = detail::all_bytes(shares);
    auto found = false;
    double bytes = 0;
    for (auto const& one : shares)
        if (detail::is_one_of(one.device, name)) found = found || one.is_counted, bytes += one.bytes;
    if (!found) return "the bytes of " + name + " are not known: " + transport_text(carried);
    if (!(sum > 0)) return name + " carried nothing, and neither did another device";
    auto const least = 16 * carried.messages.value_or(static_cast<double>(carried.iterations));
    auto const moved = carried.bytes.value_or(sum), wanted = moved > least ? moved : least;
    if (bytes >= 0.9 * wanted) return std::nullopt;
    return name + " carried " + detail::data_text(bytes) + " of " + detail::data_text(wanted) + ": " +
           transport_text(carried);
}

} // namespace sonde

#endif
