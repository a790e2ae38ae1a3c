// SPDX-License-Identifier: BSL-1.0
// The options whose values are numbers.
#include "option_values.hpp"

#include "../common/numbers.hpp"

#include <climits>
#include <cstdint>

namespace imb {

namespace {

/// The whole text as a number within the limits, or nothing is set.
template <class N>
bool set_number(N& into, std::string const& text, N least, N most) {
    auto const found = common::number<N>(text, least, most);
    if (found) into = *found;
    return found.has_value();
}

constexpr std::size_t most_counts = INT_MAX; // MPI and the table count with an int
constexpr std::size_t mebi = std::size_t{1} << 20;

} // namespace

bool set_npmin(options& into, std::string const& text) {
    into.npmin = common::number<int>(text, 1, INT_MAX);
    return into.npmin.has_value();
}

bool set_multi(options& into, std::string const& text) {
    auto const found = common::number<int>(text, INT_MIN, INT_MAX);
    into.multi = found >= 0 ? found : std::nullopt;
    return found.has_value();
}

bool set_off_cache(options& into, std::string const& text) {
    auto const parts = common::split(text, ',');
    if (parts.size() > 2) return false;
    double size = 0;
    std::size_t line = 64;
    if (parts.size() == 2 && !set_number<std::size_t>(line, parts[1], 1, mebi)) return false;
    if (parts.size() == 1 && set_number<double>(size, text, -1e300, -1e-300)) size = 8;
    else if (!set_number<double>(size, parts[0], 0, double(mebi))) return false;
    auto const bytes = static_cast<std::size_t>(size * double(mebi));
    into.off_cache = bytes == 0 ? std::nullopt : std::optional{cache{bytes, line}};
    return true;
}

bool set_iterations(options& into, std::string const& text) {
    auto const parts = common::split(text, ',');
    if (parts.size() > 3) return false;
    auto& to = into.iter;
    std::size_t volume = to.volume / mebi;
    auto const accepted = set_number<std::size_t>(to.messages, parts[0], 1, most_counts) &&
                          (parts.size() < 2 || set_number<std::size_t>(volume, parts[1], 0, std::size_t{1} << 33)) &&
                          (parts.size() < 3 || set_number<std::size_t>(to.nonaggregate, parts[2], 1, most_counts));
    to.volume = volume * mebi;
    return accepted;
}

bool set_time(options& into, std::string const& text) {
    auto found = into.time.count();
    if (!set_number<double>(found, text, 1e-6, 1e9)) return false;
    into.time = sonde::seconds{found};
    return true;
}

bool set_memory(options& into, std::string const& text) { return set_number<double>(into.memory, text, 1e-6, 1e6); }

bool set_sizes(options& into, std::string const& text) {
    into.sizes.clear();
    for (auto const& part : common::split(text, ','))
        if (!set_number<std::size_t>(into.sizes.emplace_back(), part, 0, PTRDIFF_MAX)) return false;
    return true;
}

bool set_logs(options& into, std::string const& text) {
    auto const parts = common::split(text, ':');
    if (parts.size() > 2) return false;
    into.min_log = 0;
    return (parts.size() < 2 || set_number(into.min_log, parts[0], 0, 30)) &&
           set_number(into.max_log, parts.back(), into.min_log, 30);
}

bool set_map(options& into, std::string const& text) {
    into.map = {};
    if (text == "0x0") return true;
    auto const parts = common::split(text, 'x');
    return parts.size() == 2 && set_number(into.map.p, parts[0], 1, INT_MAX) &&
           set_number(into.map.q, parts[1], 1, INT_MAX / into.map.p);
}

bool set_window(options& into, std::string const& text) {
    return set_number<std::size_t>(into.window, text, 1, most_counts / 2); // of two directions, as many requests
}

} // namespace imb
