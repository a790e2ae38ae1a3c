// SPDX-License-Identifier: BSL-1.0
#include "differences.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tools {

namespace {

using sonde::environment;

template <class List, class Text>
std::string joined(List const& items, char const* between, Text text) {
    std::string all;
    for (auto const& item : items) all.append(all.empty() ? "" : between).append(text(item));
    return all;
}

std::string ranks_of(environment const& e) {
    return std::to_string(std::accumulate(e.ranks_per_host.begin(), e.ranks_per_host.end(), 0));
}
std::string per_host(environment const& e) {
    return joined(e.ranks_per_host, "+", [](int n) { return std::to_string(n); });
}
std::string or_none(std::string const& text) { return text.empty() ? "none" : text; }
std::string same(std::string const& text) { return text; }

struct aspect {
    char const* what;
    bool matters;
    std::string (*value)(environment const&);
};

constexpr aspect aspects[] = {
    {"communication library", true, [](environment const& e) { return or_none(e.communication_library); }},
    {"number of ranks", true, ranks_of},
    {"number of hosts", true, [](environment const& e) { return std::to_string(e.hosts.size()); }},
    {"ranks per host", true, per_host},
    {"binding of ranks", true, [](environment const& e) { return joined(e.bindings, " ", same); }},
    {"devices of ranks", true, [](environment const& e) { return or_none(joined(e.devices, " ", same)); }},
    {"build", true, [](environment const& e) { return e.build; }},
    {"compiler", true, [](environment const& e) { return e.compiler.substr(0, e.compiler.find(' ')); }},
    {"compiler's version", false, [](environment const& e) { return e.compiler; }},
    {"names of hosts", false, [](environment const& e) { return joined(e.hosts, " ", same); }},
    {"version of Sonde", false, [](environment const& e) { return e.sonde_version; }},
};

/// Every value once, in the order of the launches.
template <class Value>
std::vector<std::string> values(std::vector<sonde::run_file> const& runs, Value value) {
    std::vector<std::string> found;
    for (auto const& run : runs)
        if (auto const v = value(run); !v.empty() && std::find(found.begin(), found.end(), v) == found.end())
            found.push_back(v);
    return found;
}

std::string shortened(std::vector<std::string> const& found) {
    constexpr std::size_t most = 160;
    auto const text = joined(found, " and ", same);
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

template <class Value>
void look(char const* what, bool matters, std::vector<sonde::run_file> const& before,
          std::vector<sonde::run_file> const& after, Value value, std::vector<difference>& into) {
    auto const one = values(before, value), other = values(after, value);
    auto all = one;
    all.insert(all.end(), other.begin(), other.end());
    if (std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>{}) == all.end()) return;
    into.push_back({what, shortened(one), shortened(other), matters});
}

} // namespace

std::vector<difference> differences(std::vector<sonde::run_file> const& before,
                                    std::vector<sonde::run_file> const& after) {
    std::vector<difference> found;
    for (auto const& a : aspects)
        look(
            a.what, a.matters, before, after,
            [&](sonde::run_file const& run) { return run.environment ? a.value(*run.environment) : std::string{}; },
            found);
    look("command", false, before, after, command_of, found);
    return found;
}

std::string command_of(sonde::run_file const& run) {
    if (run.launch) return run.launch->command;
    return run.environment ? run.environment->command_line : std::string{};
}

std::optional<std::string> floating_rank(sonde::run_file const& run) {
    if (!run.environment) return std::nullopt;
    auto const& bindings = run.environment->bindings;
    for (std::size_t rank = 0; rank != bindings.size(); ++rank)
        if (bindings[rank].find_first_of(",-") != std::string::npos)
            return "rank " + std::to_string(rank) + " on " + bindings[rank];
    return std::nullopt;
}

} // namespace tools
