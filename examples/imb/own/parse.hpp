// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/refusal.hpp"
#include "../command_line.hpp"
#include "../option_values.hpp"
#include "../options.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace imb::own {

/// One option: how it is written, what help says, and what it does.
template <class Asked>
struct option {
    char const* name;
    char const* argument; // "" where it has none
    char const* help;
    char const* accepted;
    bool (*apply)(Asked& into, std::string const& text); // false: the text is not accepted
};

/// What the command line asks for: `Asked` is imb::options, and what a program has beside. Options are applied in the
/// order given. Throws common::refusal.
template <class Asked>
Asked parse(std::span<option<Asked> const> known, int argc, char const* const* argv, spelling names) {
    std::vector<known_option> written;
    for (auto const& o : known) written.push_back({o.name, o.argument});
    auto const line = read(written, argc, argv, names);
    Asked found;
    found.explained = line.explained;
    for (auto const& given : line.options) {
        auto const& o = *std::find_if(known.begin(), known.end(), [&](auto const& k) { return given.name == k.name; });
        if (!o.apply(found, given.value))
            throw common::refusal{std::string{"Invalid value of -"} + o.name + ": " + given.value +
                                  "; accepted: " + o.accepted};
    }
    if (line.help) found.wanted = wish::help;
    add(found.names, benchmark_names(line.words));
    return found;
}

/// What -help prints: all options, or the one to be explained.
template <class Asked>
std::string usage(std::string const& program, std::span<option<Asked> const> known, Asked const& asked) {
    std::string all = "Usage: " + program + " [options] [benchmarks]\nOptions:\n";
    for (auto const& o : known) {
        auto text = "  -" + std::string{o.name} + (*o.argument == 0 ? "" : " ") + o.argument;
        text.resize(std::max<std::size_t>(text.size() + 1, 32), ' ');
        text += std::string{o.help} + "\n";
        if (asked.explained == o.name) return *o.accepted == 0 ? text : text + "  Accepted: " + o.accepted + "\n";
        all += text;
    }
    return all;
}

} // namespace imb::own
