// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/same_file.hpp"
#include "suite/values.hpp"

#include <sonde/clock.hpp>
#include <sonde/report/text.hpp>
#include <sonde/version.hpp>

#include <boost/program_options.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace tools {

/// Option with a value of type T, which is stored in `target`; without the option `target` stays empty.
template <class T>
auto* optional_value(std::optional<T>& target, char const* name = "arg") {
    return boost::program_options::value<T>()->value_name(name)->notifier([&target](T const& v) { target = v; });
}

/// Option with a text that `convert` converts; the result is stored in `target`.
template <class T, class Convert>
auto* converted_value(T& target, Convert convert, char const* name = "arg") {
    return boost::program_options::value<std::string>()->value_name(name)->notifier(
        [&target, convert](std::string const& text) { target = convert(text); });
}

/// Throws std::invalid_argument for a value of an option: "--option 'text': takes ...".
[[noreturn]] inline void refuse(std::string const& option, std::string const& text, std::string const& accepted) {
    throw std::invalid_argument{"--" + option + " '" + text + "': takes " + accepted};
}

/// Throws std::invalid_argument for an empty text, which a shell's variable without a value leaves.
[[noreturn]] inline void refuse_empty(std::string const& option) {
    throw std::invalid_argument{option + "'' is empty: a variable without a value?"};
}

/// Throws std::invalid_argument if a file that is written is read, too, or is written twice. Empty names, and "-" for
/// the terminal, are no files.
inline void require_own_files(std::vector<std::string> const& read, std::vector<std::string> written) {
    std::erase_if(written, [](std::string const& name) { return name.empty() || name == "-"; });
    for (auto const& output : written) {
        for (auto const& input : read)
            if (suite::is_same_file(input, output))
                throw std::invalid_argument{"'" + output + "' is read: what is written needs another file"};
        for (auto const* other = written.data(); other != &output; ++other)
            if (suite::is_same_file(*other, output))
                throw std::invalid_argument{"'" + output + "' is written twice: each output needs a file of its own"};
    }
}

/// Value of an option that is a number from `least` to `most`.
template <class N>
auto number_within(std::string const& option, N least, N most) {
    return [=](std::string const& text) {
        if (auto const n = suite::number<N>(text, least, most)) return *n;
        std::ostringstream range;
        range << "a number from " << least << " to " << most;
        refuse(option, text, range.str());
    };
}

inline auto seconds_within(std::string const& option, double least, double most) {
    auto const number = number_within(option, least, most);
    return [=](std::string const& text) { return sonde::seconds{number(text)}; };
}

/// Value of an option in percent, as a fraction.
inline auto percent_within(std::string const& option, double least, double most) {
    auto const number = number_within(option, least, most);
    return [=](std::string const& text) { return number(text) / 100; };
}

/// Value of an option that is one of several words, in the order of the values of T.
template <class T>
auto word_of(std::string const& option, std::vector<std::string> const& words) {
    return [=](std::string const& text) {
        for (std::size_t i = 0; i != words.size(); ++i)
            if (words[i] == text) return static_cast<T>(i);
        refuse(option, text, "one of " + sonde::detail::joined(words, ", "));
    };
}

/// The options that every tool has.
inline void describe_help(boost::program_options::options_description& to, bool& help) {
    to.add_options()("help,h", boost::program_options::bool_switch(&help), "print this help");
    to.add_options()("version", "print the version");
}

/// The text of --version if it is the only word: "sonde-map (Sonde) 0.1.0".
inline std::optional<std::string> version_text(std::string const& program, std::vector<std::string> const& words) {
    if (words != std::vector<std::string>{"--version"}) return std::nullopt;
    return program + " (Sonde) " SONDE_VERSION "\n";
}

/// The options as --help prints them, after an empty line. Boost writes "-m [ --mode ] arg", and this function "-m,
/// --mode arg".
inline std::string options_text(boost::program_options::options_description const& options) {
    std::ostringstream written;
    written << '\n' << options;
    auto text = written.str();
    for (std::size_t at = 0; (at = text.find(" [ --", at)) != text.npos;) {
        text.replace(at, 3, ", ");
        auto end = text.find(" ]", at);
        text.erase(end, 2);
        if (text[end + 1] != ' ') end = text.find(' ', end + 1); // after the value's name
        if (text.compare(end, 3, " (=") == 0) end = text.find(')', end) + 1;
        text.insert(end, 3, ' ');
    }
    return text;
}

/// Parse a command line: options by their whole names, other words as the options that `positional` names. The values
/// are stored in the options' targets, and returned. Throws boost::program_options::error, and std::invalid_argument
/// for an empty text.
inline boost::program_options::variables_map
read_options(std::vector<std::string> const& words, boost::program_options::options_description const& options,
             boost::program_options::positional_options_description const& positional = {}) {
    namespace po = boost::program_options;
    constexpr auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    auto const parsed = po::command_line_parser(words).options(options).positional(positional).style(style).run();
    for (auto const& o : parsed.options)
        for (auto const& text : o.value)
            if (text.empty()) refuse_empty(o.position_key < 0 ? "--" + o.string_key + " " : "");
    po::variables_map values;
    po::store(parsed, values);
    if (values.count("version") != 0) throw std::invalid_argument{"--version is used without other words"};
    po::notify(values);
    return values;
}

/// Parse the options before "--", as `read_options` does. Returns the words behind it: the command of a program.
inline std::vector<std::string> read_options_of_command(std::vector<std::string> const& words,
                                                        boost::program_options::options_description const& options) {
    auto const dashes = std::find(words.begin(), words.end(), "--");
    read_options({words.begin(), dashes}, options);
    if (dashes == words.end()) return {};
    return {dashes + 1, words.end()};
}

/// Throws std::system_error if standard output cannot be written.
inline void flush_output() {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw std::system_error{errno == 0 ? EIO : errno, std::generic_category(), "cannot write the output"};
}

/// Returns the exit status that `run` returns for the words of the command line. If it throws, prints one line on
/// stderr and returns 2.
template <class Run>
int guarded(char const* program, int argc, char** argv, Run run) {
    try {
        std::vector<std::string> const words{argv + 1, argv + argc};
        auto const version = version_text(program, words);
        auto const status = version ? 0 : run(words);
        if (version) std::fputs(version->c_str(), stdout);
        flush_output();
        return status;
    } catch (boost::program_options::error const& e) {
        std::fprintf(stderr, "%s: %s; see --help\n", program, sonde::detail::plain_text(e.what()).c_str());
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s: %s\n", program, sonde::detail::plain_text(e.what()).c_str());
    }
    return 2;
}

} // namespace tools
