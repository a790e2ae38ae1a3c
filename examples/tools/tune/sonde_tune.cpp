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
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using tools::tune::tune_options, tools::tune::tuned_part;

constexpr tools::tool_usage about{
    "sonde-tune", tools::operands::command,
    "Usage: sonde-tune [options] -- PROGRAM [ARGUMENT...]\n"
    "       sonde-tune --check FILE [options] -- PROGRAM [ARGUMENT...]\n"
    "       mpirun -n RANKS sonde-tune settings [FILE]\n"
    "Finds settings of the MPI library that make a program surely faster: algorithms of collectives, eager limits.\n"
    "The program, such as mpirun -n 4 osu_allreduce or mpirun -n 4 sonde-replay run TRACE, is launched with each "
    "candidate in its environment, in turns with the default settings, and gets --report json=FILE, which may be given "
    "as {json}. The candidates are those of the library's own list (MPI_T). What is surely slower stops early; the "
    "chosen settings together are measured once more. With --check, a file of settings is measured.\n"
    "Exit status: 0; 1 if --check finds a slower row; 2 for an invalid command line, or if nothing can be measured; "
    "128 + N if signal N ended the launches.\n"};

std::vector<suite::option_row> rows_of(tune_options& o) {
    using namespace suite;
    auto const add_names = [](std::set<std::string>& into, std::string const& text) {
        for (auto const& name : split(text, ',')) into.insert(name);
        return true;
    };
    return {{"alpha,a P", "probability of a wrong outcome among all rows",
             real(o.criteria.alpha, "a probability", "1e-9", "0.5")},
            {"launches,n", "launches of each candidate that stays in the race, and of each side of the confirmation",
             whole(o.criteria.rounds, 6, 1000)},
            {"budget,b SECONDS", "time of all launches: the race ends when only the time of the confirmation is left",
             real(o.budget, "seconds", "1", "1e7")},
            {"what,w PART", "coll, algorithms of collectives; eager, eager limits; all",
             one_of(o.part,
                    {{"coll", tuned_part::algorithms}, {"eager", tuned_part::eager_limits}, {"all", tuned_part::all}})},
            {"collectives,c LIST",
             "collectives to tune, such as allreduce,bcast (those of the rows or of the trace; otherwise all)",
             set_by(o.collectives, add_names, "names, such as allreduce,bcast")},
            {"effect,e", "smallest gain that counts, relative", percent(o.criteria.effect, "0", "1000")},
            {"out,o", "file for the settings; rules by size go to FILE.rules; a file with contents is refused",
             file_name(o.out)},
            {"check", "measure a file of settings, or of rules, instead", file_name(o.check)},
            {"records,r", "append the records of every launch to FILE, as sonde-launch does", file_name(o.records)},
            {"plot", "picture of the race: FILE.svg, FILE.png or FILE.pdf", file_name(o.plot)},
            {"settings",
             "control variables from FILE, which 'sonde-tune settings FILE' wrote, instead of asking the library",
             file_name(o.settings)},
            {"timeout,t SECONDS",
             "end a launch that takes longer (default: ten times the mean of the launches, at least 20)",
             real(o.limit, "seconds", "0.1", "1e7")},
            {"seed", "of the order of launches", whole(o.seed, 0, 1u << 31)}};
}

#ifdef SONDE_TUNE_HAS_MPI
constexpr auto settings = tools::tune::settings_command;
#else
constexpr auto settings = tools::without_mpi;
#endif

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
    tune_options o;
    auto const line = tools::read_options(about, rows_of(o), words);
    if (!line.answer.empty()) return tools::print_text(line.answer);
    o.command = line.operands;
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
    if (argc > 1 && argv[1] == std::string_view{"settings"})
        return tools::guarded(about.tool, [&] { return settings(argc, argv); });
    return tools::guarded(about.tool, argc, argv, run);
}
