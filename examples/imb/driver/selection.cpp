// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/selection.hpp"

#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <algorithm>

namespace imb {

namespace {

std::size_t find(std::vector<list_entry> const& all, std::string const& name) {
    std::vector<std::string> known;
    for (auto const& entry : all) {
        if (suite::lower(entry.name) == suite::lower(name)) return known.size();
        known.push_back(entry.name);
    }
    throw suite::refusal{"Invalid benchmark name " + name + suite::hint(name, known) + " (-list prints all)"};
}

} // namespace

std::vector<std::size_t> selected_entries(std::vector<list_entry> const& all, options const& asked) {
    std::vector<std::size_t> chosen, excluded;
    for (auto const& name : asked.included) chosen.push_back(find(all, name));
    for (auto const& name : asked.names) chosen.push_back(find(all, name));
    for (std::size_t i = 0; asked.names.empty() && i != all.size(); ++i)
        if (all[i].by_default) chosen.push_back(i);
    for (auto const& name : asked.excluded) excluded.push_back(find(all, name));
    std::erase_if(chosen, [&](auto i) { return std::count(excluded.begin(), excluded.end(), i) != 0; });
    if (chosen.empty()) throw suite::refusal{"-exclude leaves no benchmark to run; accepted: some of those asked for"};
    return chosen;
}

std::string list(std::string const& program, std::vector<list_entry> all) {
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
    auto text = "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\n" + program + ":\n";
    for (auto const& entry : all) {
        text += "    " + entry.name + (entry.by_default ? "\n" : " (non-default)\n");
        for (auto const& line : entry.comment) text += "        " + line + "\n";
    }
    return text;
}

} // namespace imb
