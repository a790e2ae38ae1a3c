// SPDX-License-Identifier: BSL-1.0
#include "tools/launch/launches.hpp"
#include "tools/tool_options.hpp"

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-launch [options] --out FILE -- PROGRAM [ARGUMENT...]\n"
    "Runs a program several times and collects the records of every run in one file, for sonde-compare.\n"
    "The program gets the arguments --report json=TEMPORARY. If one of its arguments contains {json}, the name of the\n"
    "temporary file replaces {json} instead.\n"
    "Exit status: 0; 1 if a launch failed; 2 for an invalid command line; 128 + N if signal N ended the launches.\n";

/// Command line, before it is checked.
struct command_line {
    tools::launch_options options;
    std::optional<double> timeout;
    long launches = 0;
    bool help = false;
};

po::options_description described(command_line& into) {
    po::options_description known{"Options"};
    tools::describe_help(known, into.help);
    known.add_options()("launches,n", po::value(&into.launches)->value_name("N")->default_value(10),
                        "number of launches");
    known.add_options()("out,o", po::value(&into.options.out)->value_name("FILE"),
                        "file for the records; a file with contents is refused");
    known.add_options()("append,a", po::bool_switch(&into.options.append), "append to the launches in FILE");
    known.add_options()("timeout,t", tools::optional_value(into.timeout, "SECONDS"), "end a launch that takes longer");
    known.add_options()("verbose,v", po::bool_switch(&into.options.verbose), "show the output of the program");
    return known;
}

void check(tools::launch_options const& o, long launches) {
    if (o.command.empty()) throw std::runtime_error{"no program: give it after --; see --help"};
    if (o.out.empty()) throw std::runtime_error{"no file for the records: --out FILE; see --help"};
    if (launches < 1) throw std::runtime_error{"--launches takes a number, 1 or more"};
    if (o.limit && !(o.limit->count() > 0)) throw std::runtime_error{"--timeout takes seconds, more than 0"};
    if (!o.append && std::filesystem::is_regular_file(o.out) && std::filesystem::file_size(o.out) != 0)
        throw std::runtime_error{"'" + o.out + "' exists; --append adds to it"};
}

int run(std::vector<std::string> const& words) {
    command_line line;
    auto const known = described(line);
    line.options.command = tools::read_options_of_command(words, known);
    if (line.help) {
        std::cout << usage << tools::options_text(known);
        return 0;
    }
    if (line.timeout) line.options.limit = sonde::seconds{*line.timeout};
    check(line.options, line.launches);
    line.options.launches = static_cast<std::size_t>(line.launches);
    return tools::launch_all(line.options);
}

} // namespace

int main(int argc, char** argv) { return tools::guarded("sonde-launch", argc, argv, run); }
