// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>
#include <sonde/witness/carried_traffic.hpp>
#include <sonde/witness/counters.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Numbers of a counter between two readings, or why there is none.
struct counter_difference {
    std::optional<std::uint64_t> value{};
    bool reset = false; // the counter is smaller, and no wrap explains it
};

/// The difference of two readings of a counter. A counter of 32, 56 or 64 bits that is smaller has wrapped if it was in
/// the upper half of its range, is in the lower half now, and has not advanced by more than `most`; otherwise it was
/// reset. Two readings of 2^32 - 1 are a counter that has stopped at its limit, as those of old InfiniBand ports do.
counter_difference difference(std::uint64_t before, std::uint64_t after, double most);

/// What the devices carried between two readings. Devices that are down and carried nothing are left out.
host_traffic traffic_between(host_counters const& before, host_counters const& after);

/// A line of text for each device, and back: what a rank sends of its host.
std::string text_of(host_traffic const& host);
host_traffic host_traffic_of(std::string_view text);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <sonde/measure/record.hpp>

#include <cstdlib>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE counter_difference difference(std::uint64_t before, std::uint64_t after, double most) {
    constexpr std::uint64_t limit = 0xffffffff;
    if (before == limit && after == limit) return {};
    if (after >= before) return {after - before};
    for (auto const bits : {32, 56, 64}) {
        auto const top = std::uint64_t{1} << (bits - 1), all = top | (top - 1);
        if (before > all || before < top || after >= top) continue;
        auto const advance = (after - before) & all;
        if (advance < top && static_cast<double>(advance) <= most) return {advance};
    }
    return {std::nullopt, true};
}

/// The number of bytes that a link can carry in a time, plus a quarter, in units of a counter; without a known rate no
/// bound.
SONDE_INLINE double most_between(device_traffic const& about, counter const& of, seconds elapsed) {
    auto const is_bytes = of.what == quantity::sent_bytes || of.what == quantity::received_bytes;
    if (!is_bytes || !about.gigabits_per_second) return 0x1p64;
    return 1.25 * 1e9 / 8 * *about.gigabits_per_second * elapsed.count() / of.unit + 65536;
}

SONDE_INLINE counter const* counter_of(device_counters const& device, std::string const& file) {
    for (auto const& one : device.counters)
        if (one.file == file) return &one;
    return nullptr;
}

/// Add what a counter advanced by to the number that it belongs to, unless a counter of this number is `lost`. Returns
/// why it has no difference, or an empty text.
SONDE_INLINE std::string add_difference(device_traffic& to, counter const& before, counter const& after,
                                        seconds elapsed, bool (&lost)[7]) {
    auto& number = number_of(to, after.what);
    auto& is_lost = lost[static_cast<std::size_t>(after.what)];
    auto const lose = [&](char const* why) {
        is_lost = true;
        number.reset();
        return after.file + why;
    };
    if (!before.value || !after.value) return lose(" cannot be read");
    auto const found = difference(*before.value, *after.value, most_between(to, after, elapsed));
    if (found.reset) return lose(" was reset");
    if (!found.value) return lose(" has stopped at its limit");
    if (!is_lost) number = number.value_or(0) + after.unit * *found.value;
    return "";
}

/// What a device carried. A device with a counter that was reset has no numbers: the others were reset, too, and may
/// have passed their old values since.
SONDE_INLINE device_traffic traffic_of(device_counters const& before, device_counters const& after, seconds elapsed,
                                       std::vector<std::string>& unread) {
    auto found = after.about;
    bool lost[7]{};
    auto const reasons = unread.size();
    for (auto const& now : after.counters) {
        auto const* const then = counter_of(before, now.file);
        if (then == nullptr) continue;
        auto const why = add_difference(found, *then, now, elapsed, lost);
        if (!why.empty()) unread.push_back(found.name + ": " + why);
        if (why == now.file + " was reset") return after.about;
    }
    if (!found.sent_bytes && !found.received_bytes && unread.size() == reasons)
        unread.push_back(found.name + ": no counter of bytes");
    return found;
}

SONDE_INLINE device_counters const* device_named(host_counters const& host, std::string const& name) {
    for (auto const& one : host.devices)
        if (one.about.name == name) return &one;
    return nullptr;
}

/// True unless a device is down, or unused, and carried nothing.
SONDE_INLINE bool is_listed(device_traffic const& device) {
    auto const carried = device.sent_bytes.value_or(0) + device.received_bytes.value_or(0) != 0;
    auto const is_up = device.state == "up" || device.state == "active";
    return carried || (is_up && device.kind != "loopback");
}

SONDE_INLINE host_traffic traffic_between(host_counters const& before, host_counters const& after) {
    auto const between = [](std::optional<std::uint64_t> const& then, std::optional<std::uint64_t> const& now) {
        return then && now ? difference(*then, *now, 0x1p64).value : std::nullopt;
    };
    host_traffic found{after.host, {}, {}, {}, {}};
    for (auto const& now : after.devices) {
        auto const* const then = device_named(before, now.about.name);
        if (then == nullptr) continue;
        auto device = traffic_of(*then, now, after.time - before.time, found.unread);
        if (is_listed(device)) found.devices.push_back(std::move(device));
    }
    found.tcp_segments = between(before.tcp_segments, after.tcp_segments);
    found.tcp_retransmissions = between(before.tcp_retransmissions, after.tcp_retransmissions);
    if (found.tcp_retransmissions) { // also those of tail loss probes, of which the receiver had the segment
        auto const needless = between(before.tcp_needless, after.tcp_needless).value_or(0);
        *found.tcp_retransmissions -= needless < *found.tcp_retransmissions ? needless : *found.tcp_retransmissions;
    }
    return found;
}

// The text of a host: fields that end with a tab, devices that end with a line feed, then reasons. A missing number is
// an empty field.

SONDE_INLINE void append_field(std::string& to, std::string const& text) {
    for (char const c : text) to += c == '\t' || c == '\n' ? ' ' : c;
    to += '\t';
}
SONDE_INLINE void append_field(std::string& to, std::optional<std::uint64_t> const& number) {
    append_field(to, number ? std::to_string(*number) : std::string{});
}

SONDE_INLINE std::string text_of(host_traffic const& host) {
    std::string text;
    append_field(text, host.host);
    append_field(text, host.tcp_segments);
    append_field(text, host.tcp_retransmissions);
    append_field(text, std::uint64_t{host.devices.size()});
    for (auto one : host.devices) {
        for (auto const* const field : {&one.name, &one.kind, &one.state, &one.below}) append_field(text, *field);
        append_field(text, one.gigabits_per_second ? text_of(*one.gigabits_per_second) : std::string{});
        for (auto what = 0; what != 7; ++what) append_field(text, number_of(one, static_cast<quantity>(what)));
    }
    for (auto const& why : host.unread) append_field(text, why);
    return text;
}

/// Removes the first field from a text, and returns it.
SONDE_INLINE std::string take_field(std::string_view& text) {
    auto const end = text.find('\t');
    std::string field{text.substr(0, end)};
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return field;
}

SONDE_INLINE host_traffic host_traffic_of(std::string_view text) {
    host_traffic host;
    host.host = take_field(text);
    host.tcp_segments = counter_at(take_field(text));
    host.tcp_retransmissions = counter_at(take_field(text));
    for (auto left = counter_at(take_field(text)).value_or(0); left != 0; --left) {
        auto& one = host.devices.emplace_back();
        for (auto* const field : {&one.name, &one.kind, &one.state, &one.below}) *field = take_field(text);
        if (auto const rate = take_field(text); !rate.empty())
            one.gigabits_per_second = std::strtod(rate.c_str(), nullptr);
        for (auto what = 0; what != 7; ++what)
            number_of(one, static_cast<quantity>(what)) = counter_at(take_field(text));
    }
    while (!text.empty()) host.unread.push_back(take_field(text));
    return host;
}

} // namespace sonde::detail

#endif
