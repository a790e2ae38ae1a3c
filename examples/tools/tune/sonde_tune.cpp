// SPDX-License-Identifier: BSL-1.0
#include "suite/values.hpp"
#include "tools/tool_options.hpp"
#include "tools/tune/settings_command.hpp"
#include "tools/tune/tune_command.hpp"
#include "tools/tune/tuned_job.hpp"
#include "tools/tune/tuning.hpp"

#include <sonde/drawing/gnuplot.hpp>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace po = boost::program_options;
using tools::tune::tune_options;

constexpr char const* usage =
    "Usage: sonde-tune [options] -- PROGRAM [ARGUMENT...]\n"
    "       sonde-tune --check FILE [options] -- PROGRAM [ARGUMENT...]\n"
    "       mpirun -n RANKS sonde-tune settings [FILE]\n"
    "Finds settings of the MPI library that make a program surely faster: algorithms of collectives, eager limits.\n"
    "The program, such as mpirun -n 4 osu_allreduce or mpirun -n 4 sonde-replay run TRACE, is launched with each "
    "candidate in its environment, in turns with the default settings, and gets --report json=FILE, which may be given "
    "as {json}. The candidates are those of the library's own list (MPI_T). What is surely slower stops early; the "
    "chosen settings together are measured once more. With --check, a file of settings is measured.\n"
    "Exit status: 0; 1 if --check finds a slower row; 2 for an invalid command line, or if nothing can be measured; "
    "128 + N if signal N ended the launches.\n";

struct command_line {
    tune_options options;
    std::vector<std::string> collectives{};
    bool help = false;
};

po::options_description described(command_line& into) {
    using tools::converted_value, tools::number_within;
    auto& o = into.options;
    po::options_description known{"Options"};
    tools::describe_help(known, into.help);
    auto add = known.add_options();
    add("alpha,a", converted_value(o.criteria.alpha, number_within<double>("alpha", 1e-9, 0.5), "P"),
        "probability of a wrong outcome among all rows (0.05)");
    add("launches,n", converted_value(o.criteria.rounds, number_within<std::size_t>("launches", 6, 1000), "N"),
        "launches of each candidate that stays in the race, and of each side of the confirmation (10)");
    add("budget,b", converted_value(o.budget, tools::seconds_within("budget", 1, 1e7), "S"),
        "seconds for all launches: the race ends when only the time of the confirmation is left");
    add("what,w",
        converted_value(o.part, tools::word_of<tools::tune::tuned_part>("what", {"coll", "eager", "all"}), "PART"),
        "coll, algorithms of collectives; eager, eager limits; all (all)");
    add("collectives,c",
        converted_value(
            into.collectives, [](std::string const& t) { return suite::split(t, ','); }, "LIST"),
        "collectives to tune, such as allreduce,bcast (those of the rows or of the trace; otherwise all)");
    add("effect,e", converted_value(o.criteria.effect, tools::percent_within("effect", 0, 1000), "PERCENT"),
        "smallest gain that counts, relative (3)");
    add("out,o", po::value(&o.out)->value_name("FILE"),
        "file for the settings; rules by size go to FILE.rules; a file with contents is refused");
    add("check", po::value(&o.check)->value_name("FILE"), "measure a file of settings, or of rules, instead");
    add("records,r", po::value(&o.records)->value_name("FILE"),
        "append the records of every launch to FILE, as sonde-launch does");
    add("plot", po::value(&o.plot)->value_name("FILE"), "picture of the race: FILE.svg, FILE.png or FILE.pdf");
    add("settings", po::value(&o.settings)->value_name("FILE"),
        "control variables from FILE, which 'sonde-tune settings FILE' wrote, instead of asking the library");
    add("timeout,t", converted_value(o.limit, tools::seconds_within("timeout", 0.1, 1e7), "S"),
        "end a launch that takes longer (ten times the mean of the launches, at least 20)");
    add("seed", converted_value(o.seed, number_within<std::uint64_t>("seed", 0, 1u << 31), "N"),
        "of the order of launches (1)");
    return known;
}

/// Throws for a file with contents, which took many launches to find.
void require_new(std::string const& path) {
    if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) != 0)
        throw std::runtime_error{"'" + path + "' exists; --out takes a new file"};
}

void require_usable(tune_options const& o) {
    if (o.command.empty()) throw std::runtime_error{"no program: give it after --; see --help"};
    if (!tools::tune::is_program(o.command.front()))
        throw std::runtime_error{"cannot start '" + o.command.front() + "': no such program"};
    if (!o.check.empty() && !(o.out.empty() && o.settings.empty() && o.plot.empty()))
        throw std::runtime_error{"--check measures a file, and takes none of --out, --settings, --plot"};
    tools::require_own_files({o.settings, o.check}, {o.out, o.records, o.plot});
    if (!o.plot.empty()) {
        static_cast<void>(sonde::canvas::for_file(o.plot));
        sonde::require_writable(o.plot);
    }
    if (!o.out.empty()) {
        require_new(o.out);
        require_new(o.out + ".rules");
        tools::require_writable(o.out);
    }
    if (o.records.empty()) return;
    tools::require_json_lines(o.records);
    tools::require_writable(o.records);
}

int run(std::vector<std::string> const& words) {
    command_line line;
    auto const known = described(line);
    line.options.command = tools::read_options_of_command(words, known);
    if (line.help) {
        std::fputs((usage + tools::options_text(known)).c_str(), stdout);
        return 0;
    }
    auto& o = line.options;
    o.collectives = {line.collectives.begin(), line.collectives.end()};
    require_usable(o);
    try {
        return o.check.empty() ? tools::tune::tune(o) : tools::tune::check(o);
    } catch (tools::tune::interruption const& e) {
        std::fputs("sonde-tune: interrupted; nothing is chosen\n", stderr);
        return 128 + e.signal;
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1 && argv[1] == std::string_view{"settings"}) {
#ifdef SONDE_TUNE_HAS_MPI
        return tools::tune::settings_command(argc, argv);
#else
        std::fputs("sonde-tune: this build has no MPI, which settings needs\n", stderr);
        return 2;
#endif
    }
    return tools::guarded("sonde-tune", argc, argv, run);
}
