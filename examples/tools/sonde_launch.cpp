// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"
#include "launches.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace po = boost::program_options;

constexpr char const* usage =
    "Usage: sonde-launch [options] --out FILE -- PROGRAM [ARGUMENT...]\n"
    "Runs a program several times and collects the records of every run in one file, for sonde-compare.\n"
    "The program is given --report json=TEMPORARY; where its words hold {json}, that becomes TEMPORARY instead.\n"
    "Exit status: 0, 1 where a launch failed, 2 for a bad command line, 128 + N where signal N stopped us.\n";

/// As given, not yet checked.
struct given {
    bool help = false;
    long launches = 0;
    double limit = 0;
};

po::options_description described(tools::launch_request& into, given& raw) {
    po::options_description known{"Options"};
    known.add_options()("help,h", po::bool_switch(&raw.help), "print this help")(
        "launches,n", po::value(&raw.launches)->value_name("N")->default_value(10), "how often to run it")(
        "out,o", po::value(&into.out)->value_name("FILE"), "where the records go; may not exist yet")(
        "append,a", po::bool_switch(&into.append), "add to the launches that FILE holds")(
        "timeout,t", po::value(&raw.limit)->value_name("SECONDS"),
        "end a launch that takes longer")("verbose,v", po::bool_switch(&into.verbose), "show what the program prints");
    return known;
}

void check(tools::launch_request const& asked, long launches) {
    if (asked.command.empty()) throw std::runtime_error{"no program: it stands behind --; see --help"};
    if (asked.out.empty()) throw std::runtime_error{"no file for the records: --out FILE; see --help"};
    if (launches < 1) throw std::runtime_error{"--launches takes a number, 1 or more"};
    if (asked.limit && !(asked.limit->count() > 0)) throw std::runtime_error{"--timeout takes seconds, more than 0"};
    if (!asked.append && std::filesystem::is_regular_file(asked.out) && std::filesystem::file_size(asked.out) != 0)
        throw std::runtime_error{"'" + asked.out + "' exists; --append adds to it"};
}

int run(std::vector<std::string> const& words) {
    tools::launch_request asked;
    given raw;
    auto const known = described(asked, raw);
    auto const dashes = std::find(words.begin(), words.end(), "--");
    auto const found = tools::read_options({words.begin(), dashes}, known);
    if (raw.help) {
        std::cout << usage << known;
        return 0;
    }
    if (found.count("timeout") != 0) asked.limit = sonde::seconds{raw.limit};
    if (dashes != words.end()) asked.command = {dashes + 1, words.end()};
    check(asked, raw.launches);
    asked.launches = static_cast<std::size_t>(raw.launches);
    return tools::launch_all(asked);
}

} // namespace

int main(int argc, char** argv) {
    return tools::guarded("sonde-launch", [&] { return run({argv + 1, argv + argc}); });
}
