// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/trace_text.hpp"

#include "tools/replay/trace/packed_times.hpp"

#include <sonde/timeline/write.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace tools::replay {

namespace {

using sonde::detail::json_string;

/// Seconds with four digits in a fixed width, so that the size of a trace does not depend on its times.
std::string fixed_width(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3e", std::max(seconds, 0.0));
    return text;
}

/// A point in time, of any sign: a blank stands for a plus.
std::string exact_seconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "% .12e", seconds);
    return text;
}

std::string list_text(auto const& all, auto text_of) {
    std::string text = "[";
    for (auto const& one : all) {
        if (text.size() != 1) text += ',';
        text += text_of(one);
    }
    return text + ']';
}

void add_number(std::string& text, char const* key, std::int64_t number) {
    if (number != absent) text += std::string{",\""} + key + "\":" + std::to_string(number);
}

/// "any" and "null" instead of negative numbers.
void add_partner(std::string& text, char const* key, distance partner) {
    if (partner == absent) return;
    auto const name = partner == any_partner    ? "\"any\""
                      : partner == null_partner ? "\"null\""
                                                : std::to_string(partner);
    text += std::string{",\""} + key + "\":" + name;
}

void add_list(std::string& text, char const* key, std::int32_t list, event_tables const& tables) {
    if (list == absent) return;
    text += std::string{",\""} + key +
            "\":" + list_text(tables.lists[static_cast<std::size_t>(list)], [](auto n) { return std::to_string(n); });
}

std::string event_text(event const& e, event_tables const& tables) {
    auto text = "{\"call\":" + json_string(tables.calls[static_cast<std::size_t>(e.call)]) +
                ",\"site\":" + std::to_string(e.site);
    add_number(text, "comm", e.comm);
    add_number(text, "window", e.window);
    add_partner(text, "to", e.to);
    add_number(text, "tag", e.tag);
    add_number(text, "count", e.count);
    add_number(text, "type", e.type);
    add_partner(text, "from", e.from);
    add_number(text, "recv_tag", e.recv_tag);
    add_number(text, "recv_count", e.recv_count);
    add_number(text, "recv_type", e.recv_type);
    add_number(text, "root", e.root);
    add_number(text, "operation", e.operation);
    if (e.mode != absent) text += ",\"mode\":" + json_string(mode_text(e.mode));
    add_list(text, "counts", e.counts, tables);
    add_list(text, "requests", e.requests, tables);
    add_number(text, "made", e.made);
    return text + '}';
}

std::string body_text(std::vector<node> const& nodes, event_tables const& tables) {
    return list_text(nodes, [&](node const& n) {
        return n.is_loop() ? "{\"passes\":" + std::to_string(n.passes) + ",\"body\":" + body_text(n.body, tables) + '}'
                           : event_text(n.what, tables);
    });
}

void for_each_event(std::span<node const> nodes, auto f) {
    for (auto const& n : nodes)
        if (n.is_loop()) for_each_event(n.body, f);
        else f(n);
}

std::string times_text(std::vector<node> const& nodes, times samples::*which) {
    std::string text;
    for_each_event(nodes, [&](node const& n) {
        auto const& t = n.measured.*which;
        text += text.empty() ? "[" : ",";
        text += t.count() == 1 ? fixed_width(t.sum().count()) : list_text(t.means(), fixed_width);
    });
    return text.empty() ? "[]" : text + ']';
}

/// Members of an object whose keys are the places of events in the program.
std::string by_place(std::vector<node> const& nodes, auto text_of) {
    std::string text;
    std::size_t place = 0;
    for_each_event(nodes, [&](node const& n) {
        auto const value = text_of(n.measured);
        if (!value.empty()) text += (text.empty() ? "\"" : ",\"") + std::to_string(place) + "\":" + value;
        ++place;
    });
    return '{' + text + '}';
}

/// A time of each pass that is chosen.
std::string row_text(std::vector<kept_passes::row> const& choice, int digits, auto time_of) {
    std::string text = "\"";
    for (auto const pass : choice) text += packed_time(time_of(pass), digits);
    return text + '"';
}

/// Times of a loop in the passes that are chosen: a row for each call, and for each pass of an inner loop.
std::string choice_text(kept_passes const& kept, int digits, auto time_of) {
    auto const choice = kept.choice();
    std::vector<std::size_t> rows(choice.front().size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return list_text(
        rows, [&](std::size_t i) { return row_text(choice, digits, [&](auto pass) { return time_of(pass, i); }); });
}

std::string choice_text(kept_passes const& kept, float pass_times::*which) {
    return choice_text(kept, digits_of_interval,
                       [&](auto pass, std::size_t i) { return static_cast<double>(pass[i].*which); });
}

/// Ends of the passes' first calls since MPI_Init, and those of all calls since that.
std::string ends_text(kept_passes const& kept) {
    return ",\"first\":" + row_text(kept.choice(), digits_since_init, [](auto pass) { return pass[0].end; }) +
           ",\"end\":" +
           choice_text(kept, digits_in_pass, [](auto pass, std::size_t i) { return pass[i].end - pass[0].end; });
}

/// The passes that are kept of each loop that is in no other one.
std::string passes_text(std::vector<node> const& nodes) {
    std::string text = "[";
    std::size_t place = 0;
    for (auto const& n : nodes) {
        if (n.is_loop())
            text += (text.size() == 1 ? "{\"place\":" : ",{\"place\":") + std::to_string(place) +
                    ",\"think\":" + choice_text(*n.kept, &pass_times::think) +
                    ",\"call\":" + choice_text(*n.kept, &pass_times::call) + ends_text(*n.kept) + '}';
        for_each_event({&n, 1}, [&](node const&) { ++place; });
    }
    return text + ']';
}

std::string window_text(window_about const& w) {
    return "{\"ranks\":" + json_string(w.ranks) + ",\"bytes\":" + std::to_string(w.bytes) +
           ",\"unit\":" + std::to_string(w.unit) + ",\"flavor\":" + json_string(w.flavor) + '}';
}

constexpr std::pair<mode_bit, std::string_view> mode_names[] = {
    {exclusive_lock, "exclusive"}, {shared_lock, "shared"}, {no_check, "nocheck"},
    {no_store, "nostore"},         {no_put, "noput"},       {no_precede, "noprecede"},
    {no_succeed, "nosucceed"}};

} // namespace

std::string mode_text(std::int32_t mode) {
    std::string text;
    for (auto const& [bit, name] : mode_names)
        if ((mode & bit) != 0) text += (text.empty() ? "" : ",") + std::string{name};
    return text;
}

std::optional<std::int32_t> mode_of(std::string const& text) {
    std::int32_t mode = 0;
    if (text.empty()) return mode;
    for (std::string_view left{text};;) {
        auto const length = std::min(left.find(','), left.size());
        auto const* const known = std::find_if(std::begin(mode_names), std::end(mode_names),
                                               [&](auto const& m) { return m.second == left.substr(0, length); });
        if (known == std::end(mode_names)) return std::nullopt;
        mode |= known->first;
        if (length == left.size()) return mode;
        left.remove_prefix(length + 1);
    }
}

std::string trace_line(trace_about const& about) {
    return "{\"type\":\"trace\",\"schema\":" + std::to_string(trace_schema) +
           ",\"version\":\"" SONDE_VERSION "\",\"ranks\":" + std::to_string(about.ranks) +
           ",\"library\":" + json_string(about.library) + ",\"command\":" + json_string(about.command) + "}\n";
}

std::string program_text(std::vector<node> const& nodes, event_tables const& tables) {
    auto const type_text = [](datatype const& t) {
        return "{\"name\":" + json_string(t.name) + ",\"size\":" + std::to_string(t.size) +
               ",\"extent\":" + std::to_string(t.extent) + '}';
    };
    return "\"sites\":" + list_text(tables.sites, [](auto const& s) { return json_string(s); }) +
           ",\"types\":" + list_text(tables.types, type_text) +
           ",\"operations\":" + list_text(tables.operations, [](auto const& s) { return json_string(s); }) +
           ",\"body\":" + body_text(nodes, tables);
}

std::string program_line(std::size_t number, std::string const& text) {
    return "{\"type\":\"program\",\"program\":" + std::to_string(number) + ',' + text + "}\n";
}

std::string rank_text(rank_about const& about, std::vector<node> const& nodes) {
    auto const text_list = [](auto const& all) { return list_text(all, [](auto const& s) { return json_string(s); }); };
    auto text = "\"rank\":" + std::to_string(about.rank) + ",\"thread\":" + std::to_string(about.thread) +
                ",\"seconds\":[" + fixed_width(about.begin) + ',' + fixed_width(about.end) + "],\"clock\":[" +
                exact_seconds(about.clock.begin) + ',' + exact_seconds(about.clock.drift) + ',' +
                fixed_width(about.clock.error) + "],\"crowded\":" + (about.crowded ? "true" : "false") +
                ",\"communicators\":" + text_list(about.communicators) +
                ",\"windows\":" + list_text(about.windows, window_text) +
                ",\"dropped\":" + std::to_string(about.dropped) + ",\"not_recorded\":{";
    std::string separator;
    for (auto const& [call, n] : about.not_recorded) {
        text += separator + json_string(call) + ':' + std::to_string(n);
        separator = ",";
    }
    return text + "},\"think\":" + times_text(nodes, &samples::think) +
           ",\"call\":" + times_text(nodes, &samples::call) + ",\"passes\":" + passes_text(nodes) + ",\"polls\":" +
           by_place(nodes, [](samples const& s) { return s.polls == 0 ? "" : std::to_string(s.polls); }) +
           ",\"matched\":" +
           by_place(nodes,
                    [](samples const& s) {
                        if (s.matched.empty()) return std::string{};
                        return list_text(s.matched, [](auto const& m) {
                            return '[' + std::to_string(m.first) + ',' + std::to_string(m.second) + ']';
                        });
                    }) +
           ",\"displacements\":" + by_place(nodes, [](samples const& s) {
               if (s.nearest == absent) return std::string{};
               return '[' + std::to_string(s.nearest) + ',' + std::to_string(s.farthest) + ']';
           });
}

std::string rank_line(std::size_t program, std::string const& text) {
    return "{\"type\":\"rank\",\"program\":" + std::to_string(program) + ',' + text + "}\n";
}

std::string end_line(std::size_t lines) { return "{\"type\":\"end\",\"lines\":" + std::to_string(lines) + "}\n"; }

std::string ranks_text(std::span<int const> ranks) {
    std::string text;
    for (std::size_t at = 0; at != ranks.size();) {
        auto const step = at + 1 == ranks.size() ? 1 : ranks[at + 1] - ranks[at];
        auto end = at + 1;
        while (end != ranks.size() && ranks[end] - ranks[end - 1] == step) ++end;
        if (end - at == 2 && step != 1) --end; // two ranks are no pattern
        if (step <= 0) end = at + 1;
        text += (text.empty() ? "" : ",") + std::to_string(ranks[at]);
        if (end - at > 1) text += '-' + std::to_string(ranks[end - 1]);
        if (end - at > 1 && step != 1) text += ':' + std::to_string(step);
        at = end;
    }
    return text;
}

} // namespace tools::replay
