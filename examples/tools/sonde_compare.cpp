// SPDX-License-Identifier: BSL-1.0
#include "advice.hpp"
#include "command_line.hpp"
#include "comparison_table.hpp"
#include "differences.hpp"
#include "side.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace po = boost::program_options;

constexpr char const* name = "sonde-compare";

struct request {
    std::string before, after;
    tools::limits limits;
    bool despite = false;
    bool help = false;
};

constexpr char const* usage =
    "Usage: sonde-compare [options] OLD NEW\n"
    "Compares two files of sonde-launch row by row: is NEW slower than OLD? A launch's median is one observation.\n"
    "Exit status: 0, 1 where a row is slower, 2 where nothing can be compared.\n";

po::options_description described(request& into) {
    po::options_description known{"Options"};
    known.add_options()("help,h", po::bool_switch(&into.help),
                        "print this help")("effect,e", po::value<double>()->value_name("PERCENT")->default_value(5),
                                           "how far apart medians must be at least to count as different")(
        "despite-differences", po::bool_switch(&into.despite), "compare although the environments differ");
    return known;
}

request read_request(int argc, char const* const* argv) {
    request asked;
    auto known = described(asked);
    po::options_description hidden;
    hidden.add(known).add_options()("file", po::value<std::vector<std::string>>());
    auto const found =
        tools::read_options({argv + 1, argv + argc}, hidden, po::positional_options_description{}.add("file", -1));
    if (asked.help) {
        std::cout << usage << known;
        return asked;
    }
    auto const files =
        found.count("file") == 0 ? std::vector<std::string>{} : found["file"].as<std::vector<std::string>>();
    if (files.size() != 2) throw std::runtime_error{"takes two files, OLD and NEW; see --help"};
    asked.limits.effect = found["effect"].as<double>() / 100;
    if (!(asked.limits.effect >= 0 && asked.limits.effect < 1000))
        throw std::runtime_error{"--effect takes a percentage, 0 or more"};
    asked.before = files[0];
    asked.after = files[1];
    return asked;
}

void warn(std::string const& text) { std::fprintf(stderr, "%s: %s\n", name, text.c_str()); }

/// May both be compared? Says why not, or what to keep in mind.
bool agree(tools::side const& before, tools::side const& after, bool despite) {
    auto const found = tools::differences(before.runs, after.runs);
    auto const refused = !despite && std::any_of(found.begin(), found.end(), [](auto const& d) { return d.matters; });
    for (auto const& d : found)
        if (d.matters || !refused) warn(d.what + " differs: old " + d.before + ", new " + d.after);
    if (refused) warn("these are different things to measure; --despite-differences compares them all the same");
    return !refused;
}

void say_header(tools::side const& before, tools::side const& after) {
    for (auto const* const s : {&before, &after}) {
        std::printf("# %s: %s, %s\n", s == &before ? "old" : "new", s->path.c_str(),
                    tools::counted(s->runs.size(), "launch").c_str());
        for (auto const& line : tools::remarks(*s)) warn(line);
    }
    std::printf(
        "# Times of an iteration: median over launches of each launch's median, its 95 %% interval over launches, and\n"
        "# the spread within and between launches, relative. p: rank-sum test of launches, corrected for all rows.\n");
}

void say_one_sided(std::vector<tools::row> const& rows) {
    for (auto const& r : rows)
        if (r.before.medians.empty() || r.after.medians.empty())
            std::printf("only in %s: %s\n", r.after.medians.empty() ? "old" : "new", tools::name_of(r).c_str());
}

long count(std::vector<tools::judged> const& rows, tools::verdict v) {
    return std::count_if(rows.begin(), rows.end(), [&](auto const& r) { return r.outcome == v; });
}

void say_verdict(std::vector<tools::judged> const& rows, tools::limits const& asked) {
    using enum tools::verdict;
    std::printf("%s: %ld slower, %ld faster, %ld undecided\n", tools::counted(rows.size(), "row").c_str(),
                count(rows, slower), count(rows, faster), count(rows, undecided));
    if (auto const needed = tools::launches_lacking(rows, asked.alpha))
        std::printf("With so few launches no row can be told apart, whatever it measured: %s need %s a side.\n",
                    tools::counted(rows.size(), "row").c_str(), tools::counted(*needed, "launch").c_str());
    if (std::none_of(rows.begin(), rows.end(), [](auto const& r) { return r.p.has_value(); }))
        std::printf("No verdict: a single launch says nothing of the next one.\n");
}

int compare(tools::side const& before, tools::side const& after, tools::limits const& asked) {
    auto const rows = tools::match(before.runs, after.runs);
    auto const judged = tools::judge(rows, asked);
    if (judged.empty()) throw std::runtime_error{"no row of " + before.path + " is in " + after.path};
    say_header(before, after);
    for (auto const& line : tools::comparison_table(judged)) std::printf("%s\n", line.c_str());
    say_one_sided(rows);
    say_verdict(judged, asked);
    if (count(judged, tools::verdict::slower) == 0) return 0;
    for (auto const& line : tools::advice(before, after)) std::printf("%s\n", line.c_str());
    return 1;
}

int run(int argc, char const* const* argv) {
    auto const asked = read_request(argc, argv);
    if (asked.help) return 0;
    auto const before = tools::read_side(asked.before), after = tools::read_side(asked.after);
    return agree(before, after, asked.despite) ? compare(before, after, asked.limits) : 2;
}

} // namespace

int main(int argc, char** argv) {
    return tools::guarded(name, [&] { return run(argc, argv); });
}
