// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include "asked_cache.hpp"
#include "common.hpp"
#include "option_table.hpp"
#include "option_values.hpp"
#include "words.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace osu {

namespace {

namespace po = boost::program_options;

/// By the long name, or by "-V" where the letter is an option of its own.
option const& by_name(std::string const& name) {
    auto const is_it = [&](option const& o) { return name == o.name || name == std::string{'-', o.letter}; };
    auto const all = option_table();
    return *std::find_if(all.begin(), all.end(), is_it);
}

po::options_description described(program const& about) {
    po::options_description all;
    auto const text = [] { return po::value<std::string>(); };
    for (auto const& o : option_table()) {
        if (!accepts(about, o)) continue;
        auto const name = o.letter == 0 ? std::string{o.name} : std::string{o.name} + "," + o.letter;
        switch (o.argument) {
        case takes::nothing:
            all.add_options()(name.c_str(), o.help);
            break;
        case takes::one:
            all.add_options()(name.c_str(), text(), o.help);
            break;
        case takes::maybe:
            all.add_options()(name.c_str(), text()->implicit_value(""), o.help);
            break;
        case takes::maybe_long:
            all.add_options()(o.name, text()->implicit_value(""), o.help)((std::string{','} + o.letter).c_str(),
                                                                          o.help);
        }
    }
    return all;
}

std::string letters_of(program const& about) {
    std::string all;
    for (auto const& o : option_table())
        if (accepts(about, o)) all += (all.empty() ? "" : " ") + written(o, "");
    return all;
}

po::parsed_options read(program const& about, std::vector<std::string> const& words) {
    auto const known = described(about);
    try {
        auto found = po::command_line_parser(words).options(known).run();
        found.description = nullptr; // it ends here
        return found;
    } catch (po::unknown_option const& e) {
        throw refusal{"Invalid option [" + e.get_option_name() + "]; accepted: " + letters_of(about)};
    } catch (po::invalid_command_line_syntax const& e) {
        if (e.kind() == po::invalid_command_line_syntax::missing_parameter)
            throw refusal{"Option Missing Required Argument [" + written(by_name(e.get_option_name().substr(2)), "") +
                          "]; see -h"};
        throw refusal{std::string{"Invalid option: "} + e.what() + "; see -h"};
    } catch (po::error const& e) {
        throw refusal{std::string{"Invalid option: "} + e.what() + "; see -h"};
    }
}

void apply(options& into, program const& about, option const& o, std::string const& text) {
    try {
        o.apply(into, about, text);
    } catch (bad_value const& e) {
        throw refusal{std::string{e.what()} + " [" + written(o, text) + "]; accepted: " + e.accepted};
    }
}

void require_fitting(options const& asked) {
    if (asked.vary_window && asked.honest)
        throw refusal{"The table of -V has no place for more columns [-V --honest]; accepted: one of the two, and "
                      "--report with both"};
    if (asked.check.on && asked.data.kind != layout::plain)
        throw refusal{"Derived data type does not support validation [-c -D]; accepted: one of the two"};
    if (asked.staged && !(asked.words && asked.words->any_device()))
        throw refusal{"No buffer is on a device [--staged]; accepted beside it: words of which one is D"};
}

} // namespace

options parse(program const& about, int argc, char const* const* argv) {
    options found;
    found.min_size = about.smallest;
    found.max_size = about.largest;
    std::vector<std::string> words;
    for (auto const& given : read(about, {argv + 1, argv + argc}).options) {
        auto text = given.value.empty() ? std::string{} : given.value.front();
        auto const* const o = given.string_key.empty() ? nullptr : &by_name(given.string_key);
        auto const is_word = o == nullptr || (is_place(text) && o->argument >= takes::maybe); // -z H H
        if (is_word) words.push_back(std::exchange(text, {}));
        if (o != nullptr) apply(found, about, *o, text);
        if (found.wanted != wish::measure) return found;
    }
    set_places(found, about, words);
    require_fitting(found);
    require_fitting_cache(found, about);
    return found;
}

std::string usage(program const& about) {
    auto const words = explained_words(about);
    auto text =
        "Usage: " + about.name + " [options]" + (words.empty() ? "" : " [SRC DST]") + "\n" + words + "Options:\n";
    for (auto const& o : option_table()) {
        if (!accepts(about, o)) continue;
        char line[200];
        auto const* const arguments = o.words;
        auto const letter = o.letter == 0 ? std::string{"    --"} : std::string{"-"} + o.letter + ", --";
        std::snprintf(line, sizeof line, "  %s%-20s%s%s%s\n", letter.c_str(), o.name, arguments,
                      *arguments == 0 ? "" : " - ", o.help);
        text += line;
    }
    return text;
}

} // namespace osu
