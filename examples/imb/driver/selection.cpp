// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/selection.hpp"

#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <algorithm>

namespace imb {

namespace {

std::vector<std::string> names_of(component const& about) {
    std::vector<std::string> all;
    for (auto const& test : about.tests) all.push_back(test.name);
    return all;
}

benchmark const* find(component const& about, std::string const& name) {
    auto const is_it = [&](auto const& test) { return suite::lower(test.name) == suite::lower(name); };
    auto const found = std::find_if(about.tests.begin(), about.tests.end(), is_it);
    if (found != about.tests.end()) return &*found;
    throw suite::refusal{"Invalid benchmark name " + name + "; did you mean " + nearest(name, names_of(about)) +
                         "? (-list prints all)"};
}

void append(std::vector<benchmark const*>& to, component const& about, std::vector<std::string> const& names) {
    for (auto const& name : names) to.push_back(find(about, name));
}

} // namespace

std::vector<benchmark const*> selected(component const& about, options const& asked) {
    std::vector<benchmark const*> all, excluded;
    append(all, about, asked.included);
    append(all, about, asked.names);
    if (asked.names.empty())
        for (auto const& test : about.tests)
            if (test.by_default) all.push_back(&test);
    append(excluded, about, asked.excluded);
    std::erase_if(all, [&](auto* test) { return std::count(excluded.begin(), excluded.end(), test) != 0; });
    if (all.empty()) throw suite::refusal{"-exclude leaves no benchmark to run; accepted: some of those asked for"};
    return all;
}

namespace {

std::string listed(benchmark const& test) {
    auto text = "    " + test.name + (test.by_default ? "\n" : " (non-default)\n");
    for (auto const& line : test.comment) text += "        " + line + "\n";
    return text;
}

} // namespace

std::string list(component const& about) {
    std::vector<benchmark const*> all;
    for (auto const& test : about.tests) all.push_back(&test);
    std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name < b->name; });
    auto text = "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\n" + about.program + ":\n";
    for (auto const* test : all) text += listed(*test);
    return text;
}

} // namespace imb
