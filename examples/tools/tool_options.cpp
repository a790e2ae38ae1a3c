// SPDX-License-Identifier: BSL-1.0
#include "tools/tool_options.hpp"

#include "suite/same_file.hpp"

#include <sonde/report/text.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>

namespace tools {

namespace {

constexpr auto style = suite::option_style::letters_and_whole_names;

using texts = std::vector<std::string>;

std::string version_text(char const* tool) { return std::string{tool} + " (Sonde) " SONDE_VERSION "\n"; }

void add_operand(command_line& into, operands takes, std::string const& word) {
    if (word.empty()) throw std::invalid_argument{"'' is empty: a variable without a value?"};
    auto const most = takes == operands::any ? into.operands.max_size() : takes == operands::one ? 1 : 0;
    if (into.operands.size() >= most)
        throw suite::syntax_error{suite::syntax_fault::other, "", "'" + word + "' is no option"};
    into.operands.push_back(word);
}

void set_option(command_line& into, suite::given_option const& given) {
    auto const& row = *given.row;
    if (!into.options.insert(row.name).second && !row.value.repeats)
        throw suite::syntax_error{suite::syntax_fault::other, "", "--" + row.name + " is given twice"};
    suite::set_option(row, given.text, style);
}

} // namespace

command_line read_options(tool_usage const& about, std::vector<suite::option_row> const& rows, texts const& words) {
    auto all = rows;
    all.emplace_back("help,h", "print this help", suite::no_effect());
    all.emplace_back("version", "print the version", suite::no_effect());
    auto const takes_command = about.takes == operands::command;
    auto const end = takes_command ? std::find(words.begin(), words.end(), "--") : words.end();
    command_line found;
    for (auto const& given : suite::read_options(all, {words.begin(), end}, style)) {
        if (given.row == nullptr) add_operand(found, about.takes, given.text);
        else set_option(found, given);
    }
    if (end != words.end()) found.operands.assign(end + 1, words.end());
    if (found.has("version")) found.answer = version_text(about.tool);
    if (found.has("help")) found.answer = about.usage + ("\nOptions:\n" + suite::help_table(all));
    return found;
}

int run_command(tool_usage const& about, std::vector<tool_command> const& commands, std::string const& rest, int argc,
                char** argv) {
    texts names;
    std::vector<suite::help_entry> entries;
    for (auto const& c : commands) {
        names.push_back(c.name);
        entries.push_back({c.name, c.help});
    }
    if (argc < 2) throw std::invalid_argument{"takes " + suite::detail::joined(names, ", ", " or ") + "; see --help"};
    std::string const word = argv[1];
    for (auto const& c : commands)
        if (c.name == word) return c.run(argc, argv);
    if (word == "--version") return print_text(version_text(about.tool));
    if (word == "--help" || word == "-h") return print_text(about.usage + suite::help_table(entries) + rest);
    throw std::invalid_argument{"'" + word + "' is none of " + suite::detail::joined(names, ", ", ", ") +
                                "; see --help"};
}

int without_mpi(int, char** argv) {
    throw std::runtime_error{std::string{"this build has no MPI, which "} + argv[1] + " needs"};
}

void require_own_files(texts const& read, texts written) {
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

int print_text(std::string const& text) {
    std::fputs(text.c_str(), stdout);
    return 0;
}

void flush_output() {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw std::system_error{errno == 0 ? EIO : errno, std::generic_category(), "cannot write the output"};
}

int guarded(char const* tool, std::function<int()> const& run) {
    auto const say = [&](std::exception const& e, char const* more) {
        std::fprintf(stderr, "%s: %s%s\n", tool, sonde::detail::plain_text(e.what()).c_str(), more);
        return 2;
    };
    try {
        auto const status = run();
        flush_output();
        return status;
    } catch (suite::syntax_error const& e) {
        return say(e, "; see --help");
    } catch (std::exception const& e) {
        return say(e, "");
    }
}

int guarded(char const* tool, int argc, char** argv, std::function<int(texts const&)> const& run) {
    return guarded(tool, [&] { return run({argv + 1, argv + argc}); });
}

} // namespace tools
