// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"
#include "tools/compare/history.hpp"
#include "tools/compare/history_page.hpp"
#include "tools/compare/history_text.hpp"
#include "tools/compare/matched_rows.hpp"
#include "tools/records/environments.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using tools::launch_set, tools::count_text;

struct options {
    tools::criteria criteria;
    double false_alarms = 0.01; // of a history
    bool despite_differences = false;
    bool history = false;
    std::string html;
};

constexpr tools::tool_usage about{"sonde-compare", tools::operands::any,
                                  "Usage: sonde-compare [options] OLD NEW\n"
                                  "       sonde-compare --history [options] FILE...\n"
                                  "Compares two files of sonde-launch row by row: is NEW slower than OLD? The median "
                                  "of a launch is one observation.\n"
                                  "With --history, a file has the launches of a night: since which night is a row "
                                  "slower or faster? The median of a night is one observation.\n"
                                  "Exit status: 0; 1 if a row is slower, in a history: at its end than at a level "
                                  "before; 2 if nothing can be compared.\n"};

std::vector<suite::option_row> rows_of(options& o) {
    using namespace suite;
    return {{"effect,e", "smallest difference of the medians that counts, relative",
             percent(o.criteria.effect, "0", "1000")},
            {"despite-differences", "compare even if the environments differ", flag(o.despite_differences)},
            {"history", "changes over many files, a file for each night", flag(o.history)},
            {"false-alarms P", "probability that a history has a change although no row changes",
             real(o.false_alarms, "a probability", "1e-9", "0.5")},
            {"html", "page of a history, with a figure of each row that changed", file_name(o.html)}};
}

/// Throws std::runtime_error for options and files that do not belong together.
void check(options const& o, tools::command_line const& line) {
    auto const& files = line.operands;
    if (!o.history && (line.has("html") || line.has("false-alarms")))
        throw std::runtime_error{"--html and --false-alarms are options of --history"};
    if (o.history && o.despite_differences)
        throw std::runtime_error{"--history reports differences of environments, and takes no --despite-differences"};
    if (!o.history && files.size() != 2) throw std::runtime_error{"takes two files, OLD and NEW; see --help"};
    tools::require_own_files(files, {o.html});
}

void warn(std::string const& text) { tools::print({text}, "sonde-compare: ", stderr); }

/// True if the environments permit a comparison. Prints the differences that prevent it, or otherwise all.
bool check_environments(launch_set const& before, launch_set const& after, bool despite_differences) {
    auto const all = tools::environment_differences(before.runs, after.runs);
    auto const refused =
        !despite_differences && std::any_of(all.begin(), all.end(), [](auto const& d) { return d.matters; });
    for (auto const& d : all)
        if (d.matters || !refused) warn(d.property + " differs: old " + d.before + ", new " + d.after);
    if (refused) warn("these are different things to measure; --despite-differences compares them all the same");
    return !refused;
}

void print_header(launch_set const& before, launch_set const& after) {
    for (auto const* const set : {&before, &after}) {
        tools::print({set->path + ", " + count_text(set->runs.size(), "launch")},
                     set == &before ? "# old: " : "# new: ");
        for (auto const& line : tools::remarks(*set)) warn(line);
    }
    std::printf(
        "# Times of %s: median over launches of each launch's median, its 95 %% interval over launches, and\n"
        "# the spread within and between launches, relative. p: rank-sum test of launches, corrected for all rows.\n",
        before.is_text && after.is_text ? "rows as printed" : "an iteration");
}

void print_unmatched(std::vector<tools::row> const& rows) {
    for (auto const& r : rows)
        if (r.before.medians.empty() || r.after.medians.empty())
            tools::print({tools::name_of(r)}, r.after.medians.empty() ? "only in old: " : "only in new: ");
}

long count(std::vector<tools::comparison> const& rows, sonde::outcome o) {
    return std::count_if(rows.begin(), rows.end(), [&](auto const& r) { return r.outcome == o; });
}

/// "23 rows need", "1 row needs".
std::string needing(std::size_t rows) { return count_text(rows, "row") + (rows == 1 ? " needs" : " need"); }

/// What single launches show, which is no statement about others.
void print_seen(std::vector<tools::comparison> const& rows, double effect) {
    auto const count = [&](auto longer, auto shorter) {
        return std::count_if(rows.begin(), rows.end(), [&](tools::comparison const& r) {
            auto const resolution = std::max(r.of.before.resolution, r.of.after.resolution);
            return (r.*longer).median > (r.*shorter).median &&
                   tools::is_relevant((r.*longer).median, (r.*shorter).median, resolution, effect);
        });
    };
    std::printf("No outcome: a single launch says nothing of the next one. Seen: in %ld of %s the new time is longer "
                "by %s %% or more, in %ld shorter.\n",
                static_cast<long>(count(&tools::comparison::after, &tools::comparison::before)),
                count_text(rows.size(), "row").c_str(), sonde::detail::shortest(100 * effect).c_str(),
                static_cast<long>(count(&tools::comparison::before, &tools::comparison::after)));
}

void print_totals(std::vector<tools::comparison> const& rows, tools::criteria const& required) {
    auto const row_count = count_text(rows.size(), "row");
    std::printf("%s: %ld slower, %ld faster, %ld undecided\n", row_count.c_str(), count(rows, sonde::outcome::slower),
                count(rows, sonde::outcome::faster), count(rows, sonde::outcome::undecided));
    if (auto const needed = tools::launches_to_decide(rows, required.alpha))
        std::printf("With so few launches no row can be told apart, whatever it measured: %s %s a side.\n",
                    needing(rows.size()).c_str(), count_text(*needed, "launch").c_str());
    if (std::none_of(rows.begin(), rows.end(), [](auto const& r) { return r.p.has_value(); }))
        print_seen(rows, required.effect);
}

int compare(launch_set const& before, launch_set const& after, options const& o) {
    auto const rows = tools::match(before.runs, after.runs);
    auto const compared = tools::compare(rows, o.criteria);
    if (compared.empty()) throw std::runtime_error{"no row of " + before.path + " is in " + after.path};
    print_header(before, after);
    tools::print(tools::comparison_table(compared));
    print_unmatched(rows);
    print_totals(compared, o.criteria);
    if (count(compared, sonde::outcome::slower) == 0) return 0;
    tools::print(tools::advice(before, after, o.despite_differences));
    return 1;
}

/// "23 rows, 30 nights: 3 changed, 20 without a change"
std::string history_totals(std::vector<tools::night> const& nights, std::vector<tools::row_history> const& rows) {
    auto const changed = std::count_if(rows.begin(), rows.end(), [](auto const& r) { return !r.changes.empty(); });
    return count_text(rows.size(), "row") + ", " + count_text(nights.size(), "night") + ": " + std::to_string(changed) +
           " changed, " + std::to_string(static_cast<long>(rows.size()) - changed) + " without a change";
}

void print_history(std::vector<tools::night> const& nights, std::vector<tools::row_history> const& rows) {
    tools::print({nights.front().name + " to " + nights.back().name}, "# nights: ");
    std::printf(
        "# Times of %s: a night is the median over launches of each launch's median, a level the median of its\n"
        "# nights. p: rank-sum tests of nights, corrected for all places of changes in all rows.\n",
        nights.front().launches.is_text ? "rows as printed" : "an iteration");
    if (auto const common = tools::common_settings(rows); !common.empty()) tools::print({common});
    tools::print(tools::aligned(tools::history_cells(nights, rows), {.first = true, .last = true}));
    auto const changes = tools::change_cells(nights, rows);
    if (changes.size() > 1) tools::print(tools::aligned(changes, {.first = true, .last = true}));
    tools::print(tools::night_lines(nights, rows));
}

void warn_of_missing_dates(std::vector<tools::night> const& nights) {
    auto const undated = std::count_if(nights.begin(), nights.end(), [](auto const& n) { return n.date.empty(); });
    if (undated != 0 && undated != std::ssize(nights))
        warn(count_text(static_cast<std::size_t>(undated), "file") +
             " without a date: the nights are in the order given");
}

/// Files of the nights. A file that is given twice, as by a symbolic link to the folder of a good night, is one night.
/// Throws std::runtime_error if only one is left.
std::vector<std::string> distinct_files(std::vector<std::string> const& given) {
    std::vector<std::string> files;
    std::map<std::filesystem::path, std::string> known;
    for (auto const& file : given) {
        std::error_code absent;
        auto path = std::filesystem::canonical(file, absent);
        auto const [first, is_new] = known.emplace(absent ? std::filesystem::path{file} : std::move(path), file);
        if (is_new) files.push_back(file);
        else warn(file + " is the same file as " + first->second + ", and counts once");
    }
    if (files.size() < 2) throw std::runtime_error{"--history takes two files or more; see --help"};
    return files;
}

int history(options const& o, std::vector<std::string> const& files) {
    auto const nights = tools::read_nights(distinct_files(files));
    auto const rows = tools::histories(nights, o.criteria);
    for (auto const& night : nights)
        for (auto const& line : tools::reading_remarks(night.launches)) warn(line);
    warn_of_missing_dates(nights);
    auto const totals = history_totals(nights, rows);
    if (!o.html.empty()) tools::write_history_page(o.html, nights, rows, totals);
    print_history(nights, rows);
    tools::print({totals});
    if (auto const needed = tools::nights_to_decide(rows, o.criteria.alpha))
        std::printf("With so few nights no change can be found, whatever was measured: %s %s.\n",
                    needing(rows.size()).c_str(), count_text(*needed, "night").c_str());
    auto const is_slower = [&](auto const& row) { return tools::ends_slower(row, o.criteria.effect); };
    return std::any_of(rows.begin(), rows.end(), is_slower) ? 1 : 0;
}

int run(std::vector<std::string> const& words) {
    options o;
    auto const line = tools::read_options(about, rows_of(o), words);
    if (!line.answer.empty()) return tools::print_text(line.answer);
    auto const& files = line.operands;
    check(o, line);
    if (o.history) {
        o.criteria.alpha = o.false_alarms;
        return history(o, files);
    }
    auto const [before, after] = tools::read_launch_sets(files[0], files[1]);
    return check_environments(before, after, o.despite_differences) ? compare(before, after, o) : 2;
}

} // namespace

int main(int argc, char** argv) { return tools::guarded(about.tool, argc, argv, run); }
