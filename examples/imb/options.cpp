// SPDX-License-Identifier: BSL-1.0
#include "words.hpp"

#include "../common/refusal.hpp"
#include "command_line.hpp"
#include "option_table.hpp"
#include "option_values.hpp"

namespace imb {

namespace {

std::vector<known_option> known_to(component const& about) {
    std::vector<known_option> all;
    for (auto const& o : option_table()) all.push_back({o.name, o.argument, accepts(about, o)});
    return all;
}

/// What is to be applied of an option: its values, or all of them as one.
std::vector<std::string> values_of(option const& o, command_line const& line) {
    std::vector<std::string> all;
    for (auto const& given : line.options) {
        if (given.name != o.name) continue;
        if (o.continued_by == 0 || all.empty()) all.push_back(given.value);
        else all.back() += o.continued_by + given.value;
    }
    return all;
}

void apply(options& into, option const& o, std::string const& text) {
    if (!o.apply(into, text))
        throw common::refusal{std::string{"Invalid value of -"} + o.name + ": " + text + "; accepted: " + o.accepted};
}

} // namespace

options parse(component const& about, int argc, char const* const* argv) {
    auto const line = read(known_to(about), argc, argv);
    options found;
    if (line.help) found.wanted = wish::help;
    found.explained = line.explained;
    found.names = benchmark_names(line.words);
    for (auto const& o : option_table())
        for (auto const& text : values_of(o, line)) apply(found, o, text);
    return found;
}

} // namespace imb
