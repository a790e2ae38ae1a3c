// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"

#include "../common/refusal.hpp"
#include "nearest.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <iterator>

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
    for (auto const& o : known)
        if (o.taken) names.push_back(o.name);
    throw common::refusal{"Invalid option " + word + "; did you mean -" + nearest(without_dashes(word), names) +
                          "? (-help lists all)"};
}

/// The option of this name, without the dash, or null.
known_option const* find(std::vector<known_option> const& known, std::string const& name, spelling names) {
    auto const is_it = [&](auto const& o) { return same(o.name, name, names); };
    auto const found = std::find_if(known.begin(), known.end(), is_it);
    return found == known.end() ? nullptr : &*found;
}

/// Options that IMB has not. The other programs of Sonde write theirs with two dashes: here they may have them too.
bool is_ours(std::string const& name, spelling names) {
    auto const is_it = [&](auto const* known) { return same(known, name, names); };
    constexpr char const* all[] = {"check", "dir", "group_start", "hint", "report"};
    return std::any_of(std::begin(all), std::end(all), is_it);
}

/// With one dash.
words as_written_here(words all, spelling names) {
    for (auto& word : all)
        if (word.starts_with("--") && is_ours(word.substr(2), names)) word.erase(0, 1);
    return all;
}

void require_taken(std::vector<known_option> const& known, std::string const& name, spelling names) {
    auto const* const found = find(known, name, names);
    if (found == nullptr) refuse_unknown(known, std::string{'-'} + name);
    if (!found->taken) throw common::refusal{"This program has no option -" + found->name + " (-help lists all)"};
}

[[noreturn]] void refuse_without_value(known_option const& o) {
    throw common::refusal{"Option -" + o.name + " needs a value: -" + o.name + " " + o.argument};
}

bool is_option(std::vector<known_option> const& known, std::string const& word, spelling names) {
    return word.starts_with('-') && find(known, word.substr(1), names) != nullptr;
}

std::vector<po::option> parsed(std::vector<known_option> const& known, words const& all, spelling names) {
    auto const options = described(known);
    try {
        return po::command_line_parser(all).options(options).style(style_of(names)).run().options;
    } catch (po::invalid_command_line_syntax const& e) { // the other ways have to do with -name=VALUE
        auto const full = without_dashes(e.get_option_name());
        auto const name = full.substr(0, full.find('='));
        if (e.kind() != e.missing_parameter) refuse_unknown(known, std::string{'-'} + name + "=");
        require_taken(known, name, names);
        refuse_without_value(*find(known, name, names));
    }
}

std::string value_of(po::option const& o) { return o.value.empty() ? "" : o.value.front(); }

given_option given(std::vector<known_option> const& known, po::option const& o, spelling names) {
    auto const& written = o.original_tokens.front();
    if (written.find('=') != written.npos)
        refuse_unknown(known, std::string{'-'} + without_dashes(written)); // Boost takes it
    require_taken(known, o.string_key, names);
    if (is_option(known, value_of(o), names)) refuse_without_value(*find(known, o.string_key, names));
    return {o.string_key, value_of(o)};
}

} // namespace

command_line read(std::vector<known_option> const& known, int argc, char const* const* argv, spelling names) {
    auto const all = as_written_here({argv + std::min(argc, 1), argv + argc}, names);
    if (auto const help = asks_for_help(all, names)) {
        if (help->explained && *help->explained != "help") require_taken(known, *help->explained, names);
        return *help;
    }
    command_line found;
    for (auto const& o : parsed(known, all, names)) {
        if (!o.string_key.empty()) found.options.push_back(given(known, o, names));
        else if (value_of(o).starts_with('-')) refuse_unknown(known, value_of(o));
        else found.words.push_back(value_of(o));
    }
    return found;
}

} // namespace imb
