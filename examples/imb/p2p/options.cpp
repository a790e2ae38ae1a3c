// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include "../../common/numbers.hpp"
#include "../own/parse.hpp"
#include "../own/values.hpp"

#include <climits>
#include <cstdint>

namespace imb::p2p {

namespace {

using text = std::string const&;

constexpr auto largest_log = 47;

std::vector<std::size_t> powers(int from, int to) {
    std::vector<std::size_t> all;
    for (auto log = from; log <= to; ++log) all.push_back(std::size_t{1} << log);
    return all;
}

/// "N": 0, 1, 2, 4 .. 2^N; "K:N": 2^K .. 2^N.
bool set_logs(options& into, text t) {
    auto const parts = common::split(t, ':');
    auto const least = parts.size() == 1 ? 0 : common::number<int>(parts[0], 0, largest_log);
    auto const most = common::number<int>(parts.back(), least.value_or(0), largest_log);
    if (parts.size() > 2 || !least || !most) return false;
    into.sizes = powers(*least, *most);
    if (parts.size() == 1) into.sizes.insert(into.sizes.begin(), 0);
    return true;
}

bool add_size(options& into, text t) {
    auto const size = size_of(t);
    if (size) into.sizes.push_back(*size);
    return size.has_value();
}

bool set_iterations(options& into, text t) {
    auto const parts = common::split(t, ',');
    auto const most = common::number<std::size_t>(parts[0], 1, INT_MAX);
    auto const volume =
        parts.size() == 1 ? into.repeats.volume >> 20 : common::number<std::size_t>(parts[1], 1, std::size_t{1} << 33);
    if (parts.size() > 2 || !most || !volume) return false;
    into.repeats = {*most, *volume << 20};
    return true;
}

bool set_pause(options& into, text t) {
    auto const found = common::number<long>(t, INT_MIN, INT_MAX);
    into.pause_us = found.value_or(0);
    return found.has_value();
}

constexpr auto yes_no = own::yes_no;

constexpr own::option<options> table[] = {
    {"help", "", "print this; -help OPTION: explain one", "", [](options&, text) { return true; }},
    {"list", "", "print the names of the benchmarks", "", [](options& o, text) { return o.wanted = wish::list, true; }},
    {"l", "", "the same as -list", "", [](options& o, text) { return o.wanted = wish::list, true; }},
    {"iter", "MAX[,VOL]", "repetitions: as many as move VOL 2^20 bytes, MAX at most (100000,800)",
     "MAX[,VOL], whole: MAX from 1 to 2147483647, VOL in 2^20 bytes from 1 to 8589934592", set_iterations},
    {"msglog", "[K:]N", "sizes 0, 1, 2, 4 .. 2^N, or 2^K .. 2^N, in place of all others (22)",
     "N or K:N, from 0 to 47, K not above N", set_logs},
    {"msglen", "FILE", "sizes, one a line, such as 12, 4k, 1m, 1g, in place of all others", "a file of sizes",
     [](options& o, text t) { return o.sizes = sizes_in(t), true; }},
    {"msgsz", "S", "a size more, in bytes, or with k, m, g", "a whole number, also with k, m or g", add_size},
    {"msgwr", "BOOL", "a byte of every 64 of a message is written before it is sent, inside the clock (on)", yes_no,
     [](options& o, text t) { return set_flag(o.touched.writes, common::lower(t)); }},
    {"msgrd", "BOOL", "a byte of every 64 of a message is read after it has arrived, inside the clock (on)", yes_no,
     [](options& o, text t) { return set_flag(o.touched.reads, common::lower(t)); }},
    {"pause", "USEC", "microseconds before and after a size; below 0: none (100000)",
     "a whole number from -2147483648 to 2147483647", set_pause},
    own::check_option<options>,
    own::report_option<options>,
};

} // namespace

options parse(int argc, char const* const* argv) {
    auto found = own::parse<options>(table, argc, argv, spelling::any_case);
    if (found.sizes.empty()) set_logs(found, "22");
    return found;
}

std::string usage(options const& asked) { return own::usage<options>("IMB-P2P", table, asked); }

} // namespace imb::p2p
