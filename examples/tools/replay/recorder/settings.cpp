// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/settings.hpp"

#include "suite/values.hpp"
#include "tools/replay/recorder/call_site.hpp"

#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>

namespace tools::replay {

namespace {

using namespace std::string_view_literals;

constexpr auto prefix = "SONDE_TRACE_"sv;

std::optional<std::chrono::nanoseconds> seconds(std::string_view text) {
    auto const value = suite::number(text, 0.0, 1e9);
    if (!value) return std::nullopt;
    return std::chrono::nanoseconds{std::llround(*value * 1e9)};
}

bool read_output(trace_settings& s, std::string_view text) {
    s.output = text;
    return true;
}

/// "0-3,8"
bool read_ranks(trace_settings& s, std::string_view text) {
    constexpr std::size_t most = (std::size_t{1} << 24) - 1;
    for (std::string_view const part : suite::split(text, ',')) {
        auto const dash = part.find('-');
        auto const first = suite::number<std::size_t>(part.substr(0, dash), 0, most);
        auto const last = dash == part.npos ? first : suite::number<std::size_t>(part.substr(dash + 1), 0, most);
        if (!first || !last || *last < *first) return false;
        if (s.ranks.size() <= *last) s.ranks.resize(*last + 1);
        for (auto rank = *first; rank <= *last; ++rank) s.ranks[rank] = true;
    }
    return true;
}

/// "10:20", "10:", ":20"
bool read_window(trace_settings& s, std::string_view text) {
    auto const colon = text.find(':');
    if (colon == text.npos || text == ":") return false;
    auto const from = text.substr(0, colon), to = text.substr(colon + 1);
    s.from = seconds(from);
    s.to = seconds(to);
    return (s.from || from.empty()) && (s.to || to.empty()) && (!s.from || !s.to || *s.from < *s.to);
}

bool read_marks(trace_settings& s, std::string_view text) {
    s.between_marks = text == "1";
    return text == "0" || text == "1";
}

bool read_memory(trace_settings& s, std::string_view text) {
    s.memory = suite::size_in(text, std::size_t{1} << 40).value_or(0);
    return s.memory >= 4096;
}

bool read_frames(trace_settings& s, std::string_view text) {
    auto const value = suite::number<std::size_t>(text, 1, most_frames);
    s.frames = value.value_or(s.frames);
    return value.has_value();
}

bool read_checkpoint(trace_settings& s, std::string_view text) {
    auto const value = seconds(text);
    s.checkpoint = value.value_or(s.checkpoint);
    return value.has_value();
}

bool read_page(trace_settings& s, std::string_view text) {
    s.page_folder = text;
    return text == "none" || text.starts_with('/');
}

/// "FILE", "FILE,SECONDS"
bool read_monitor(trace_settings& s, std::string_view text) {
    using namespace std::chrono_literals;
    auto const comma = text.rfind(',');
    s.monitor = text.substr(0, comma);
    auto const value = comma == text.npos ? s.monitor_interval : seconds(text.substr(comma + 1)).value_or(0s);
    s.monitor_interval = value;
    return !s.monitor.empty() && 1ms <= value && value <= 1e6s;
}

struct variable {
    bool (*read)(trace_settings&, std::string_view);
    char const* accepted;
};

std::map<std::string_view, variable> const variables{
    {"OUTPUT", {read_output, "the path of a file"}},
    {"RANKS", {read_ranks, "ranks of MPI_COMM_WORLD, such as 0-3,8"}},
    {"WINDOW", {read_window, "seconds from MPI_Init, FROM:TO, FROM: or :TO"}},
    {"MARKS", {read_marks, "1 (record between MPI_Pcontrol(1) and MPI_Pcontrol(0)) or 0"}},
    {"MEMORY", {read_memory, "bytes, at least 4K; K, M and G are units of 1024"}},
    {"FRAMES", {read_frames, "the functions of a call site: 1 to 16"}},
    {"CHECKPOINT", {read_checkpoint, "seconds; 0: no file before the end"}},
    {"MONITOR",
     {read_monitor, "the path of a file without a comma, and 0.001 to 1e6 seconds behind one, such as app.prom,60"}},
    {"PAGE", {read_page, "a folder of this node, such as /dev/shm, or none"}},
};

} // namespace

trace_settings settings_of(char const* const* environment) {
    trace_settings found;
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        std::string_view const text{*environment};
        if (!text.starts_with(prefix)) continue;
        auto const equals = text.find('=');
        auto const name = text.substr(0, equals), value = text.substr(equals + 1);
        auto const known = variables.find(name.substr(prefix.size()));
        if (known == variables.end()) {
            std::string names;
            for (auto const& [one, v] : variables)
                names += (names.empty() ? "" : ", ") + std::string{prefix}.append(one);
            throw std::invalid_argument{std::string{name} + " is no variable of libsonde-trace, which are " + names};
        }
        if (value.empty() || !known->second.read(found, value))
            throw std::invalid_argument{std::string{name} + "='" + std::string{value} + "': takes " +
                                        known->second.accepted};
    }
    return found;
}

} // namespace tools::replay
