// SPDX-License-Identifier: BSL-1.0
#include "suite/options.hpp"

#include "suite/refusal.hpp"
#include "suite/same_file.hpp"

#include <boost/program_options.hpp>

#include <string_view>

namespace suite {

namespace {

namespace po = boost::program_options;

std::string replaced(std::string text, std::string_view placeholder, std::string const& by) {
    if (auto const at = text.find(placeholder); at != text.npos) text.replace(at, placeholder.size(), by);
    return text;
}

std::string help_of(option_row const& o) {
    return replaced(replaced(o.help, "{default}", o.value.initial), "{words}",
                    detail::joined(o.value.words, ", ", " or "));
}

bool has_letters(option_style style) { return style <= option_style::letters_and_whole_names; }

/// Adds an option to the description that Boost parses with.
void describe(po::options_description& all, option_row const& o, option_style style) {
    auto const with_letter = has_letters(style) && o.letter != 0 ? o.name + "," + o.letter : o.name;
    auto const text = [] { return po::value<std::string>(); };
    switch (o.value.takes) {
    case arity::none:
        all.add_options()(with_letter.c_str(), "");
        break;
    case arity::one:
        all.add_options()(with_letter.c_str(), text(), "");
        break;
    case arity::optional:
        all.add_options()(with_letter.c_str(), text()->implicit_value(""), "");
        break;
    case arity::optional_of_name:
        all.add_options()(o.name.c_str(), text()->implicit_value(""), "");
        all.add_options()((std::string{','} + o.letter).c_str(), "");
    }
}

int boost_style(option_style style) {
    using namespace po::command_line_style;
    if (style == option_style::letters_and_whole_names) return unix_style & ~allow_guessing;
    if (has_letters(style)) return unix_style;
    auto const exact = allow_long_disguise | long_allow_next;
    return style == option_style::one_dash ? exact : exact | long_case_insensitive;
}

/// The option that Boost calls `key`: its long name, or "-V" for a letter that is described separately.
option_row const* row_of(std::vector<option_row> const& rows, std::string const& key) {
    auto const is_it = [&](option_row const& o) { return key == o.name || key == std::string{'-', o.letter}; };
    auto const found = std::find_if(rows.begin(), rows.end(), is_it);
    return found == rows.end() ? nullptr : &*found;
}

/// Boost's message. It puts the name in place of %canonical_option%, and would not end for a name that contains that.
std::string message_of(po::error_with_option_name const& e) {
    auto const name = e.get_option_name();
    return name.find('%') == name.npos ? e.what() : "option '" + name + "' is not valid";
}

/// "--per 'socket': takes one of node, rank"
std::string refused_by_name(option_row const& o, std::string const& text, std::string const& accepted) {
    auto const given = "--" + o.name + " '" + text + "'";
    if (text.empty()) return given + " is empty: a variable without a value?";
    return given + ": takes " + (o.value.words.empty() ? "" : "one of ") + accepted;
}

/// Throws refusal for an empty word that is not the value of an option: Boost takes it for a missing optional value.
void require_words(std::vector<option_row> const& rows, std::vector<std::string> const& words) {
    auto const takes_value = [&](std::string const& word) {
        return std::any_of(rows.begin(), rows.end(), [&](option_row const& o) {
            auto const is_it = word == "--" + o.name || (o.letter != 0 && word == std::string{'-', o.letter});
            return is_it && o.value.takes == arity::one;
        });
    };
    for (std::size_t i = 0; i != words.size(); ++i) {
        if (!words[i].empty() || (i != 0 && takes_value(words[i - 1]))) continue;
        auto const shown = i == 0 ? std::string{"''"} : words[i - 1] + " ''";
        throw refusal{"Empty word [" + shown + "]; accepted: no empty word, as of a variable without a value"};
    }
}

} // namespace

option_row::option_row(std::string const& syntax, std::string sentence, option_value bound,
                       std::string refusal_of_value)
    : help{std::move(sentence)}, value{std::move(bound)}, complaint{std::move(refusal_of_value)} {
    auto const blank = std::min(syntax.find(' '), syntax.size()), comma = std::min(syntax.find(','), blank);
    name = syntax.substr(0, comma);
    if (comma != blank) letter = syntax[comma + 1];
    argument = blank == syntax.size() ? value.argument : syntax.substr(blank + 1);
}

std::vector<given_option> read_options(std::vector<option_row> const& rows, std::vector<std::string> const& arguments,
                                       option_style style) {
    if (style == option_style::letters_and_names) require_words(rows, arguments);
    po::options_description known;
    for (auto const& o : rows) describe(known, o, style);
    std::vector<given_option> all;
    auto const refuse_unknown = [](std::string const& option) {
        throw syntax_error{syntax_fault::unknown_option, option, "unrecognised option '" + option + "'"};
    };
    try {
        for (auto const& o :
             po::command_line_parser(arguments).options(known).style(boost_style(style)).run().options) {
            auto const word = o.original_tokens.empty() ? "" : o.original_tokens.front();
            auto const* const row = row_of(rows, o.string_key);
            if (row != nullptr && word.starts_with("---")) refuse_unknown(word); // Boost finds "-m" behind two dashes
            all.push_back({row, o.value.empty() ? "" : o.value.front(), word});
        }
    } catch (po::ambiguous_option const& e) {
        auto const name = e.get_option_name();
        auto const begin = std::min(name.find_first_not_of('-'), name.size());
        if (begin == name.size() || name[begin] == '=') refuse_unknown(name); // no letter of a name
        throw syntax_error{syntax_fault::other, "", e.what()};
    } catch (po::unknown_option const& e) {
        throw syntax_error{syntax_fault::unknown_option, e.get_option_name(), message_of(e)};
    } catch (po::invalid_command_line_syntax const& e) {
        auto const missing = e.kind() == e.missing_parameter;
        throw syntax_error{missing ? syntax_fault::missing_value : syntax_fault::malformed_option, e.get_option_name(),
                           message_of(e)};
    } catch (po::error const& e) {
        throw syntax_error{syntax_fault::other, "", e.what()};
    }
    return all;
}

void set_option(option_row const& o, std::string const& text, option_style style) {
    auto const empty = text.empty() && o.value.takes == arity::one; // a variable of a shell that has no value
    try {
        if (empty || !o.value.set(text)) throw invalid_value{};
    } catch (invalid_value const& e) {
        auto const accepted = e.accepted.empty() ? o.value.accepted : e.accepted;
        if (style == option_style::letters_and_whole_names) throw refusal{refused_by_name(o, text, accepted)};
        auto const complaint = e.complaint.empty() ? o.complaint : e.complaint;
        auto const shown = empty ? "''" : text;
        auto const refused = has_letters(style) ? complaint + " [" + written(o, shown, style) + "]"
                                                : "Invalid value of -" + o.name + ": " + shown;
        throw refusal{refused + "; accepted: " + accepted};
    }
}

std::string written(option_row const& o, std::string const& text, option_style style) {
    auto name = "-" + o.name;
    if (has_letters(style)) name = o.letter == 0 ? "-" + name : std::string{'-', o.letter};
    return text.empty() ? name : name + " " + text;
}

std::string help_line(option_row const& o, option_style style) {
    if (!has_letters(style)) {
        auto line = "  " + written(o, o.argument, style);
        line.resize(std::max<std::size_t>(line.size() + 1, 32), ' ');
        return line + help_of(o) + "\n";
    }
    auto line = (o.letter == 0 ? std::string{"      --"} : std::string{"  -"} + o.letter + ", --") + o.name;
    line.resize(std::max<std::size_t>(line.size(), 28), ' ');
    return line + o.argument + (o.argument.empty() ? "" : " - ") + help_of(o) + "\n";
}

std::string help_table(std::vector<help_entry> const& entries) {
    constexpr std::size_t width = 80;
    std::size_t column = 0;
    for (auto const& e : entries) column = std::max(column, 2 + e.name.size() + 2);
    std::string all;
    for (auto const& e : entries) {
        auto line = "  " + e.name;
        for (auto const& word : split(e.description, ' ')) {
            if (line.size() + 1 + word.size() > width) {
                all += line + "\n";
                line.clear();
            }
            line.resize(std::max(line.size() + 1, column), ' ');
            line += word;
        }
        all += line + "\n";
    }
    return all;
}

std::string help_table(std::vector<option_row> const& rows) {
    std::vector<help_entry> entries;
    for (auto const& o : rows) {
        auto const letter = o.letter == 0 ? "" : std::string{'-', o.letter} + ", ";
        auto const says_default = o.value.initial.empty() || o.help.find("(default") != o.help.npos;
        entries.push_back({letter + "--" + o.name + (o.argument.empty() ? "" : " ") + o.argument,
                           help_of(o) + (says_default ? "" : " (default " + o.value.initial + ")")});
    }
    return help_table(entries);
}

std::string detail::joined(std::vector<std::string> const& words, char const* separator, char const* last) {
    std::string all;
    for (std::size_t i = 0; i != words.size(); ++i)
        all += (i == 0 ? "" : i + 1 == words.size() ? last : separator) + words[i];
    return all;
}

option_value accepting(std::string const& accepted, option_value value) {
    value.accepted = replaced(accepted, "{accepted}", value.accepted);
    return value;
}

option_value joined(char separator, option_value value) {
    value.joined_by = separator;
    return value;
}

option_value repeating(option_value value) {
    value.repeats = true;
    return value;
}

option_value with_optional_argument(option_value value, arity takes) {
    value.takes = takes;
    return value;
}

option_value unused_number(int least, int most) {
    return {.set = [least, most](std::string const& text) { return number(text, least, most).has_value(); },
            .accepted = whole_range(least, most),
            .argument = "N"};
}

option_value unavailable(std::string const& accepted) {
    return {.set = [](std::string const&) { return false; }, .accepted = accepted};
}

option_value percent(double& into, char const* least, char const* most) {
    auto made = real(into, "a percentage", least, most);
    made.set = [set = made.set, &into](std::string const& text) {
        if (!set(text)) return false;
        into /= 100;
        return true;
    };
    made.argument = "PERCENT";
    made.initial = detail::real_text(100 * into);
    return made;
}

option_value on_off(bool& into, spelling letters) {
    std::vector<std::string> const on{"on", "yes", "true", "enable", "1"}, off{"off", "no", "false", "disable", "0"};
    auto const set = [&into, on, off, letters](std::string const& given) {
        auto const word = lower(given);
        auto const small = [](char c) { return c >= 'a' && c <= 'z'; };
        if (letters == spelling::exact && given != word && std::any_of(given.begin(), given.end(), small)) return false;
        into = std::find(on.begin(), on.end(), word) != on.end();
        return into || std::find(off.begin(), off.end(), word) != off.end();
    };
    return {.set = set,
            .accepted = detail::joined(on, ", ", ", ") + "; " + detail::joined(off, ", ", ", "),
            .argument = "BOOL",
            .initial = into ? "on" : "off"};
}

option_row report_option(std::vector<report_file>& into) {
    auto const set = [&into](std::string const& given) {
        auto const report = report_file_of(given);
        if (!report) return false;
        for (auto const& other : into)
            if (is_same_file(other.path, report->path))
                throw invalid_value{"a FILE of its own for each", "Two reports into one file"};
        into.push_back(*report);
        return true;
    };
    return {"report", report_help(), repeating({.set = set, .accepted = report_accepted(), .argument = "FORM=FILE"})};
}

} // namespace suite
