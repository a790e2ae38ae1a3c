// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"

#include "../common/refusal.hpp"
#include "nearest.hpp"

#include <boost/program_options.hpp>

#include <algorithm>

namespace imb {

namespace {

namespace po = boost::program_options;

using words = std::vector<std::string>;

std::string without_dashes(std::string const& word) {
    auto const from = word.find_first_not_of('-');
    return from == word.npos ? "" : word.substr(from);
}

bool same(std::string const& a, std::string const& b, spelling names) {
    return names == spelling::exact ? a == b : common::lower(a) == common::lower(b);
}

/// Where help is asked for, whatever else there is.
std::optional<command_line> asks_for_help(words const& all, spelling names) {
    auto const asks = [&](auto const& w) { return same(w, "-help", names) || same(w, "-h", names); };
    auto const found = std::find_if(all.begin(), all.end(), asks);
    if (found == all.end()) return std::nullopt;
    command_line const alone{.help = true};
    if (found + 1 == all.end()) return alone;
    return command_line{.help = true, .explained = without_dashes(found[1])};
}

po::options_description described(std::vector<known_option> const& known) {
    po::options_description all;
    for (auto const& o : known)
        if (o.argument.empty()) all.add_options()(o.name.c_str(), "");
        else all.add_options()(o.name.c_str(), po::value<std::string>(), "");
    return all;
}

int style_of(spelling names) {
    auto const exact = po::command_line_style::allow_long_disguise | po::command_line_style::long_allow_next;
    return names == spelling::exact ? exact : exact | po::command_line_style::long_case_insensitive;
}

[[noreturn]] void refuse_unknown(std::vector<known_option> const& known, std::string const& word) {
    words names{"help"};
    for (auto const& o : known) names.push_back(o.name);
    throw common::refusal{"Invalid option " + word + "; did you mean -" + nearest(without_dashes(word), names) +
                          "? (-help lists all)"};
}

[[noreturn]] void refuse_without_value(std::vector<known_option> const& known, std::string const& name) {
    auto const is_it = [&](auto const& o) { return o.name == name; };
    auto const& o = *std::find_if(known.begin(), known.end(), is_it);
    throw common::refusal{"Option -" + name + " needs a value: -" + name + " " + o.argument};
}

bool is_known(std::vector<known_option> const& known, std::string const& word, spelling names) {
    return std::any_of(known.begin(), known.end(), [&](auto const& o) { return same("-" + o.name, word, names); });
}

void require_known(std::vector<known_option> const& known, std::string const& name, spelling names) {
    if (name != "help" && !is_known(known, "-" + name, names)) refuse_unknown(known, "-" + name);
}

std::vector<po::option> parsed(std::vector<known_option> const& known, words const& all, spelling names) {
    auto const options = described(known);
    try {
        return po::command_line_parser(all).options(options).style(style_of(names)).run().options;
    } catch (po::error_with_option_name const& e) { // of the ways to be wrong, the only one that this style has
        refuse_without_value(known, without_dashes(e.get_option_name()));
    }
}

} // namespace

command_line read(std::vector<known_option> const& known, int argc, char const* const* argv, spelling names) {
    words const all(argv + std::min(argc, 1), argv + argc);
    if (auto const help = asks_for_help(all, names)) {
        if (help->explained) require_known(known, *help->explained, names);
        return *help;
    }
    command_line found;
    for (auto const& o : parsed(known, all, names)) {
        auto const value = o.value.empty() ? std::string{} : o.value.front();
        auto const is_word = o.string_key.empty();
        auto const written = is_word ? std::string{} : o.original_tokens.front(); // Boost takes -name=VALUE, too
        if (is_word && value.starts_with('-')) refuse_unknown(known, value);
        if (written.find('=') != written.npos) refuse_unknown(known, "-" + without_dashes(written));
        if (!is_word && is_known(known, value, names)) refuse_without_value(known, o.string_key);
        if (is_word) found.words.push_back(value);
        else found.options.push_back({o.string_key, value});
    }
    return found;
}

} // namespace imb
