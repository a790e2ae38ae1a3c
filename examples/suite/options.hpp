// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/report_file.hpp"
#include "suite/values.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Command lines: an option is one row, bound to the variable that it sets. Its range or its
// words, its default and its name in the help follow from the row.

namespace suite {

/// Arguments of an option. An optional one follows in the same word or, unless it begins with a dash, in the next.
enum class arity : unsigned char {
    none,
    one,
    optional,
    optional_of_name // optional after the long name; the letter has none
};

/// Spelling of words and of names of options.
enum class spelling : unsigned char { exact, any_case };

/// Refusal of a value by the function that parses it. Empty texts stand for those of the option.
struct invalid_value {
    std::string accepted{};
    std::string complaint{};
};

/// The argument of an option, bound to the variable that it sets. The variable must outlive it.
struct option_value {
    std::function<bool(std::string const&)> set; // returns false or throws invalid_value for a text it does not accept
    std::string accepted{};                      // "a whole number from 1 to 64"
    std::string argument{};                      // name in the help, "N"
    std::string initial{};                       // text of the variable's value when the row is made: the default
    std::vector<std::string> words{};            // of an enumeration, without the refused ones
    arity takes = arity::one;
    char joined_by = 0;   // values of a repeated option are joined with this character; 0: each value is set
    bool repeats = false; // each further value is added to those before
};

/// One option of a program.
struct option_row {
    std::string name;     // long name
    char letter = 0;      // 0: none
    std::string argument; // name in the help, "" without one
    std::string help;     // one sentence; {default} and {words} stand for those of the value
    option_value value;
    std::string complaint; // begins the refusal of a value, in the style with letters
    bool taken = true;     // false: only other programs have the option, and it is refused

    /// `syntax`: the name and, if there are, a letter and another name of the argument than the value's:
    /// "window-size,W", "msglog [MIN:]MAX".
    option_row(std::string const& syntax, std::string help, option_value value, std::string complaint = {});
};

/// Syntax of a command line.
enum class option_style : unsigned char {
    letters_and_names,       // as getopt_long: -W 4, -W4, --window-size 4, --window-size=4, unique beginnings of names
    letters_and_whole_names, // the same without beginnings of names: those of the tools
    one_dash,                // -npmin 2
    one_dash_any_case        // the same with names in any case
};

/// An option or another argument of a command line.
struct given_option {
    option_row const* row; // null: an argument that belongs to no option
    std::string text;      // value of the option, or the argument
    std::string written;   // first word of the option in the command line
};

/// What is wrong with the syntax of a command line.
enum class syntax_fault : unsigned char {
    unknown_option,
    missing_value,
    malformed_option, // --name=VALUE where an option takes no value, for example
    other
};

/// The first fault of a command line.
struct syntax_error : std::runtime_error {
    syntax_fault fault;
    std::string option; // "--window-size" or "-W"; empty for another fault

    syntax_error(syntax_fault what_is_wrong, std::string name, std::string const& message)
        : std::runtime_error{message}, fault{what_is_wrong}, option{std::move(name)} {}
};

/// Takes a command line apart, in the order given. Throws syntax_error, and, with beginnings of names, refusal for an
/// empty word that is not the value of an option.
std::vector<given_option> read_options(std::vector<option_row> const& rows, std::vector<std::string> const& arguments,
                                       option_style style);

/// Sets the option's variable. Throws refusal for an empty text or another one that is not accepted, with those that
/// are.
void set_option(option_row const& o, std::string const& text, option_style style);

/// "-W 4"; without a letter "--report xml"; with one dash "-npmin 2". Without a text the option alone.
std::string written(option_row const& o, std::string const& text, option_style style);

/// The option's line of the help, with a newline.
std::string help_line(option_row const& o, option_style style);

/// A name and its description.
struct help_entry {
    std::string name;
    std::string description;
};

/// Lines of a help in two columns, 80 characters wide.
std::string help_table(std::vector<help_entry> const& entries);
/// The options in two columns: "  -n, --launches N  number of launches (default 10)". A help without a default gets
/// one.
std::string help_table(std::vector<option_row> const& rows);

namespace detail {

template <class T>
struct value_of {
    using type = T;
};
template <class T>
struct value_of<std::optional<T>> {
    using type = T;
};
template <class T>
using value_of_t = typename value_of<T>::type;

/// Type of the number that a text is parsed as; a bool is 0 or 1.
template <class T>
using number_of_t = std::conditional_t<std::is_same_v<T, bool>, int, value_of_t<T>>;

template <class T>
std::string number_text(std::optional<T> const& value) {
    return value ? std::to_string(*value) : "";
}
template <class T>
std::string number_text(T value) {
    return std::to_string(value);
}

/// Up to six digits: "10", "0.5".
inline std::string real_text(double value) {
    char all[32];
    return {all, static_cast<std::size_t>(std::snprintf(all, sizeof all, "%g", value))};
}
template <class T>
std::string real_text(T const& value) {
    if constexpr (requires { value.count(); }) return real_text(value.count());
    else return value ? real_text(*value) : "";
}

/// "a|b|c"; with " or " before the last: "a, b or c".
std::string joined(std::vector<std::string> const& words, char const* separator, char const* last);

} // namespace detail

/// No argument: the option assigns `value`.
template <class T>
option_value assign(T& into, std::type_identity_t<T> value) {
    return {.set = [&into, value](std::string const&) { return into = value, true; }, .takes = arity::none};
}

inline option_value flag(bool& into) { return assign(into, true); }

/// No argument, and nothing is assigned.
inline option_value no_effect() {
    return {.set = [](std::string const&) { return true; }, .takes = arity::none};
}

/// Range of whole numbers, as refusals show it.
template <class N>
std::string whole_range(N least, N most) {
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

/// A whole number from `least` to `most`.
template <class T>
option_value whole(T& into, detail::number_of_t<T> least, detail::number_of_t<T> most) {
    auto const set = [&into, least, most](std::string const& text) {
        auto const found = number(text, least, most);
        if (found) into = static_cast<detail::value_of_t<T>>(*found);
        return found.has_value();
    };
    return {.set = set, .accepted = whole_range(least, most), .argument = "N", .initial = detail::number_text(into)};
}

/// A whole number from `least` to `most` without effect.
option_value unused_number(int least, int most);

/// No value is accepted.
option_value unavailable(std::string const& accepted);

/// A decimal number from `least` to `most`, which refusals show as they are written here: "seconds from 1e-6 to 1e9".
/// One of `units` may follow it, which are names of the option's unit.
template <class T>
option_value real(T& into, std::string const& unit, char const* least, char const* most,
                  std::vector<std::string> const& units = {}) {
    using value = detail::value_of_t<T>;
    auto const from = std::stod(least), to = std::stod(most);
    auto const set = [&into, from, to, units](std::string text) {
        for (auto const& u : units)
            if (text.ends_with(u)) {
                text.resize(text.size() - u.size());
                break;
            }
        auto const found = number(text, from, to);
        if (found) into = value{*found};
        return found.has_value();
    };
    return {.set = set,
            .accepted = unit + " from " + least + " to " + most,
            .argument = "N",
            .initial = detail::real_text(into)};
}

/// A percentage from `least` to `most`, which the variable has as a fraction.
option_value percent(double& into, char const* least, char const* most);

/// A word and its value. A word with a complaint is refused with it, and is not listed among the accepted ones.
template <class T>
struct choice {
    std::string word;
    T value;
    std::string complaint{};
};

/// One of several words.
template <class T>
option_value one_of(T& into, std::type_identity_t<std::vector<choice<detail::value_of_t<T>>>> const& all,
                    spelling words = spelling::exact) {
    option_value made;
    for (auto const& c : all) {
        if (!c.complaint.empty()) continue;
        made.words.push_back(c.word);
        if (into == c.value) made.initial = c.word;
    }
    made.accepted = detail::joined(made.words, ", ", ", ");
    made.argument = detail::joined(made.words, "|", "|");
    made.set = [&into, all, words](std::string const& text) {
        auto const word = words == spelling::exact ? text : lower(text);
        for (auto const& c : all) {
            if (word != c.word) continue;
            if (!c.complaint.empty()) throw invalid_value{.complaint = c.complaint};
            into = c.value;
            return true;
        }
        return false;
    };
    return made;
}

/// on, yes, true, enable, 1; off, no, false, disable, 0. With `exact` all letters are small or all are capitals.
option_value on_off(bool& into, spelling letters = spelling::exact);

/// A text that is not empty, for a std::string or an optional one.
template <class T>
option_value text(T& into, std::string const& accepted) {
    auto const set = [&into](std::string const& given) {
        into = given;
        return !given.empty();
    };
    return {.set = set, .accepted = accepted, .initial = std::optional<std::string>{into}.value_or("")};
}

/// The name of a file.
template <class T>
option_value file_name(T& into) {
    auto value = text(into, "the name of a file");
    value.argument = "FILE";
    return value;
}

/// Effect of a repeated list: it replaces the earlier one, or its values follow them.
enum class repeated : unsigned char { replaces, appends };

/// Values with commas between; `element_value(T&)` is the option_value of one of them.
template <class T, class F>
option_value list_of(std::vector<T>& into, repeated again, F element_value) {
    auto const set = [&into, again, element_value](std::string const& text) {
        if (again == repeated::replaces) into.clear();
        for (auto const& part : split(text, ','))
            if (!element_value(into.emplace_back()).set(part)) return false;
        return true;
    };
    T any{};
    return {.set = set, .accepted = element_value(any).accepted};
}

/// The result of `parse(text)`, a std::optional: none for a text that is not accepted.
template <class T, class F>
option_value parsed(T& into, F parse, std::string accepted) {
    auto const set = [&into, parse](std::string const& text) {
        auto const found = parse(text);
        if (found) into = *found;
        return found.has_value();
    };
    return {.set = set, .accepted = std::move(accepted)};
}

/// A value that `set(into, text)` sets; it returns false for a text that is not accepted.
template <class T, class F>
option_value set_by(T& into, F set, std::string accepted) {
    return {.set = [&into, set](std::string const& text) { return set(into, text); }, .accepted = std::move(accepted)};
}

/// The value with another description of the accepted texts. In it, {accepted} stands for the previous description.
option_value accepting(std::string const& accepted, option_value value);
/// The value of an option that continues when it is repeated: all texts are joined and set once.
option_value joined(char separator, option_value value);
/// The value of an option that may be given several times, each of which adds one.
option_value repeating(option_value value);
/// The value with an optional argument. A missing one is "".
option_value with_optional_argument(option_value value, arity takes = arity::optional);

/// `report FORM=FILE`, appended to the reports. A file that another report has is refused.
option_row report_option(std::vector<report_file>& into);

} // namespace suite
