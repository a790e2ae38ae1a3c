// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"
#include "tools/records/environments.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace po = boost::program_options;
using tools::launch_set, tools::count_text;

constexpr char const* name = "sonde-compare";

struct options {
    std::vector<std::string> files; // OLD and NEW
    tools::criteria criteria;
    bool despite_differences = false;
    bool help = false;
};

constexpr char const* usage = "Usage: sonde-compare [options] OLD NEW\n"
                              "Compares two files of sonde-launch row by row: is NEW slower than OLD? The median of a "
                              "launch is one observation.\n"
                              "Exit status: 0; 1 if a row is slower; 2 if nothing can be compared.\n";

options parse(std::vector<std::string> const& words) {
    options o;
    double effect = 0;
    po::options_description known{"Options"}, all;
    tools::describe_help(known, o.help);
    known.add_options()("effect,e", po::value(&effect)->value_name("PERCENT")->default_value(5),
                        "smallest difference of the medians that counts, relative");
    known.add_options()("despite-differences", po::bool_switch(&o.despite_differences),
                        "compare even if the environments differ");
    all.add(known).add_options()("file", po::value(&o.files));
    tools::read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (o.help) {
        std::cout << usage << tools::options_text(known);
        return o;
    }
    if (o.files.size() != 2) throw std::runtime_error{"takes two files, OLD and NEW; see --help"};
    o.criteria.effect = effect / 100;
    if (!(o.criteria.effect >= 0 && o.criteria.effect < 1000))
        throw std::runtime_error{"--effect takes a percentage, 0 or more"};
    return o;
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

void print_totals(std::vector<tools::comparison> const& rows, double alpha) {
    auto const row_count = count_text(rows.size(), "row");
    std::printf("%s: %ld slower, %ld faster, %ld undecided\n", row_count.c_str(), count(rows, sonde::outcome::slower),
                count(rows, sonde::outcome::faster), count(rows, sonde::outcome::undecided));
    if (auto const needed = tools::launches_to_decide(rows, alpha))
        std::printf("With so few launches no row can be told apart, whatever it measured: %s need %s a side.\n",
                    row_count.c_str(), count_text(*needed, "launch").c_str());
    if (std::none_of(rows.begin(), rows.end(), [](auto const& r) { return r.p.has_value(); }))
        std::printf("No verdict: a single launch says nothing of the next one.\n");
}

int compare(launch_set const& before, launch_set const& after, tools::criteria const& required) {
    auto const rows = tools::match(before.runs, after.runs);
    auto const compared = tools::compare(rows, required);
    if (compared.empty()) throw std::runtime_error{"no row of " + before.path + " is in " + after.path};
    print_header(before, after);
    tools::print(tools::comparison_table(compared));
    print_unmatched(rows);
    print_totals(compared, required.alpha);
    if (count(compared, sonde::outcome::slower) == 0) return 0;
    tools::print(tools::advice(before, after));
    return 1;
}

int run(std::vector<std::string> const& words) {
    auto const o = parse(words);
    if (o.help) return 0;
    auto const [before, after] = tools::read_launch_sets(o.files[0], o.files[1]);
    return check_environments(before, after, o.despite_differences) ? compare(before, after, o.criteria) : 2;
}

} // namespace

int main(int argc, char** argv) { return tools::guarded(name, argc, argv, run); }
