// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/rules_file.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace tools::tune {

namespace {

/// The collectives of Open MPI's rules, in the order of their numbers, from 0.
constexpr std::string_view numbered_collectives[] = {
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw",      "barrier",
    "bcast",     "exscan",     "gather",    "gatherv",  "reduce",    "reduce_scatter", "reduce_scatter_block",
    "scan",      "scatter",    "scatterv"};

/// Collectives whose size is a block of one rank.
constexpr std::string_view sized_by_block[] = {"allgather", "allgatherv", "alltoall", "gather", "scatter"};
constexpr std::string_view without_size[] = {"alltoallv", "barrier"};

bool is_one_of(auto const& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string whole(double x) { return sonde::detail::fixed(x, 0); }

/// A line of rules: size, algorithm, fan-out (0: the library's), segment size.
std::string rule_line(double bytes, int algorithm, std::size_t segment, std::string const& evidence = {}) {
    return "  " + whole(bytes) + ' ' + std::to_string(algorithm) + " 0 " + std::to_string(segment) +
           (evidence.empty() ? "" : "  # " + evidence) + '\n';
}

std::string lines_of_sizes(collective_rules const& c) {
    std::string lines;
    std::size_t count = 0;
    std::optional<std::pair<int, std::size_t>> before;
    auto const add = [&](double bytes, int algorithm, std::size_t segment, std::string const& evidence = {}) {
        std::pair const now{algorithm, segment};
        if (evidence.empty() && before == now) return;
        before = now;
        ++count;
        lines += rule_line(size_in_rules(c.collective, bytes, c.ranks), algorithm, segment, evidence);
    };
    auto const has_sizes = !is_one_of(without_size, c.collective);
    if (has_sizes && (c.rules.empty() || c.rules.front().bytes > 0)) add(0, c.otherwise, 0);
    for (auto const& r : c.rules) add(r.bytes, r.algorithm, r.segment, r.evidence);
    if (has_sizes && c.rules.back().bytes > 0) add(2 * c.rules.back().bytes, c.otherwise, 0);
    return "  " + std::to_string(count) + "  # message sizes\n" + lines;
}

std::string lines_of(collective_rules const& c) {
    auto const other_size = [&](std::size_t ranks) {
        return ' ' + std::to_string(ranks) + "  # ranks\n  1  # message size\n" + rule_line(0, c.otherwise, 0);
    };
    auto const has_smaller = c.ranks > 2;
    auto text = std::to_string(*collective_number(c.collective)) + "  # " + c.collective + '\n' +
                (has_smaller ? "3" : "2") + "  # sizes of communicators\n";
    if (has_smaller) text += other_size(2);
    text += ' ' + std::to_string(c.ranks) + "  # ranks\n" + lines_of_sizes(c);
    return text + other_size(c.ranks + 1);
}

} // namespace

std::optional<int> collective_number(std::string const& collective) {
    auto const* const found = std::find(std::begin(numbered_collectives), std::end(numbered_collectives), collective);
    if (found == std::end(numbered_collectives)) return std::nullopt;
    return static_cast<int>(found - std::begin(numbered_collectives));
}

double size_in_rules(std::string const& collective, double bytes, std::size_t ranks) {
    if (is_one_of(without_size, collective)) return 0;
    return is_one_of(sized_by_block, collective) ? bytes * static_cast<double>(ranks) : bytes;
}

std::string rules_text(std::vector<collective_rules> const& all) {
    auto text = "# size, algorithm, fan-out, segment size\n" + std::to_string(all.size()) + "  # collectives\n";
    for (auto const& c : all) text += lines_of(c);
    return text;
}

std::string settings_text(std::vector<setting> const& settings, mpi_library library) {
    std::string text;
    for (auto const& s : settings)
        text += library == mpi_library::open_mpi
                    ? s.variable + " = " + s.value + '\n'
                    : "export " + environment_name(s.variable) + '=' + sonde::detail::shell_word(s.value) + '\n';
    return text;
}

std::vector<setting> settings_for_rules(std::string const& rules_path) {
    return {{"coll_tuned_use_dynamic_rules", "1"},
            {"coll_tuned_dynamic_rules_filename", std::filesystem::absolute(rules_path).string()}};
}

std::vector<setting> all_settings(tuned_settings const& tuned, std::string const& rules_path) {
    auto all = tuned.settings;
    auto const add = [&](setting const& s) {
        if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
    };
    if (!tuned.rules.empty())
        for (auto const& s : settings_for_rules(rules_path)) add(s);
    for (auto const& c : tuned.rules)
        if (c.otherwise != 0) add({"coll_tuned_" + c.collective + "_algorithm", "0"});
    return all;
}

} // namespace tools::tune
