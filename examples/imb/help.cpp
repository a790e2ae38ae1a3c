// SPDX-License-Identifier: BSL-1.0
#include "option_table.hpp"
#include "words.hpp"

#include <algorithm>

namespace imb {

namespace {

std::string explained(option const& o) {
    auto const gap = *o.argument == 0 ? "" : " ";
    auto text = "  -" + std::string{o.name} + gap + o.argument;
    text.resize(std::max<std::size_t>(text.size() + 1, 32), ' ');
    return text + o.help + "\n";
}

std::string listed(benchmark const& test) {
    auto text = "    " + test.name + (test.by_default ? "\n" : " (non-default)\n");
    for (auto const& line : test.comment) text += "        " + line + "\n";
    return text;
}

} // namespace

std::string usage(component const& about, options const& asked) {
    if (asked.explained)
        for (auto const& o : option_table())
            if (*asked.explained == o.name) return explained(o) + "  Accepted: " + o.accepted + "\n";
    auto text = "Usage: " + about.program + " [options] [benchmarks]\nOptions:\n";
    for (auto const& o : option_table())
        if (accepts(about, o)) text += explained(o);
    return text;
}

std::string list(component const& about) {
    std::vector<benchmark const*> all;
    for (auto const& test : about.tests) all.push_back(&test);
    std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name < b->name; });
    auto text = "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\n" + about.program + ":\n";
    for (auto const* test : all) text += listed(*test);
    return text;
}

} // namespace imb
