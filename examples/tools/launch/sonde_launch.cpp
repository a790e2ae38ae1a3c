// SPDX-License-Identifier: BSL-1.0
#include "tools/launch/launches.hpp"
#include "tools/tool_options.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tools::launch_options;

constexpr tools::tool_usage about{
    "sonde-launch", tools::operands::command,
    "Usage: sonde-launch [options] --out FILE -- PROGRAM [ARGUMENT...]\n"
    "Runs a program several times and collects the records of every run in one file, for sonde-compare.\n"
    "The program gets the arguments --report json=TEMPORARY. If one of its arguments contains {json}, the name of the\n"
    "temporary file replaces {json} instead.\n"
    "Exit status: 0; 1 if a launch failed; 2 for an invalid command line; 128 + N if signal N ended the launches.\n"};

std::vector<suite::option_row> rows_of(launch_options& o) {
    using namespace suite;
    return {{"launches,n", "number of launches", whole(o.launches, 1, 1'000'000'000)},
            {"out,o", "file for the records; a file with contents is refused", file_name(o.out)},
            {"append,a", "append to the launches in FILE", flag(o.append)},
            {"timeout,t SECONDS", "end a launch that takes longer", real(o.limit, "seconds", "1e-3", "1e9")},
            {"verbose,v", "show the output of the program", flag(o.verbose)}};
}

void check(launch_options const& o) {
    if (o.command.empty()) throw std::runtime_error{"no program: give it after --; see --help"};
    if (o.out.empty()) throw std::runtime_error{"no file for the records: --out FILE; see --help"};
    if (!o.append && std::filesystem::is_regular_file(o.out) && std::filesystem::file_size(o.out) != 0)
        throw std::runtime_error{"'" + o.out + "' exists; --append adds to it"};
}

int run(std::vector<std::string> const& words) {
    launch_options o;
    auto const line = tools::read_options(about, rows_of(o), words);
    if (!line.answer.empty()) return tools::print_text(line.answer);
    o.command = line.operands;
    check(o);
    return tools::launch_all(o);
}

} // namespace

int main(int argc, char** argv) { return tools::guarded("sonde-launch", argc, argv, run); }
