// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/settings_command.hpp"

#include "suite/agreement.hpp"
#include "suite/launch.hpp"
#include "tools/tool_options.hpp"
#include "tools/tune/control_variables.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// The control variables of the MPI library, read in a job: which variables there are depends on the components that the
// library has opened, and with it on the number of ranks and on the network.

namespace tools::tune {

namespace {

constexpr tool_usage settings_about{
    "sonde-tune", operands::any,
    "Usage: mpirun -n RANKS sonde-tune settings [FILE [NAME...]]\n"
    "Writes the control variables of the MPI library that sonde-tune can tune, and those of these names, as JSON.\n"};

std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    sonde::mpi::check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
    return {text, static_cast<std::size_t>(length)};
}

/// "Open MPI v4.1.4", "MPICH Version: 4.0.2"
std::string short_version(std::string const& version) {
    std::istringstream words{version.substr(0, version.find_first_of(",\n"))};
    std::string text;
    for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
    return text;
}

#ifdef MPI_T_CVAR_HANDLE_NULL

std::vector<enumerator> enumerators(MPI_T_enum words) {
    std::vector<enumerator> all;
    int known = 0, number = 0;
    char text[256] = "";
    int length = sizeof text;
    if (words == MPI_T_ENUM_NULL || MPI_T_enum_get_info(words, &known, text, &length) != MPI_SUCCESS) return all;
    for (int i = 0; i != known; ++i) {
        length = sizeof text;
        if (MPI_T_enum_get_item(words, i, &number, text, &length) == MPI_SUCCESS) all.push_back({text, number});
    }
    return all;
}

#endif

/// The variables that are tuned, and those of these names, with their values, on this rank. The values come from
/// `sonde::mpi::control_variables`, which also starts the tool information interface.
std::vector<control_variable> variables_now([[maybe_unused]] std::vector<std::string> const& names) {
    std::vector<control_variable> found;
#ifdef MPI_T_CVAR_HANDLE_NULL
    std::vector<char const*> patterns{std::begin(tuned_variables), std::end(tuned_variables)};
    for (auto const& name : names) patterns.push_back(name.c_str());
    std::map<std::string, std::string> values;
    for (auto const& v : sonde::mpi::control_variables(patterns)) values[v.name] = v.text;
    int all = 0;
    if (values.empty() || MPI_T_cvar_get_num(&all) != MPI_SUCCESS) return found;
    for (int i = 0; i != all; ++i) {
        sonde::mpi::detail::control_variable_info about;
        if (!about.read(i)) continue;
        if (auto const known = values.find(about.name); known != values.end())
            found.push_back({about.name, known->second, enumerators(about.words), about.description});
    }
#endif
    return found;
}

int write_settings(sonde::mpi::group const& world, std::string const& path, std::vector<std::string> const& names) {
    auto const hosts = sonde::mpi::environment_of(world, 0, nullptr, {}).hosts.size();
    suite::together(world, [&] {
        if (world.rank() != 0) return;
        auto const version = library_version();
        auto const text = json_of({short_version(version), sonde::mpi::detail::device_in(version),
                                   static_cast<std::size_t>(world.size()), hosts, variables_now(names)}) +
                          '\n';
        if (path.empty()) return suite::print(world, text);
        std::ofstream file{path};
        file << text << std::flush;
        if (!file) throw suite::refusal{"sonde-tune: cannot write '" + path + "'"};
    });
    return 0;
}

command_line settings_line(std::vector<std::string> const& words) {
    try {
        return read_options(settings_about, {}, words);
    } catch (std::exception const& e) {
        throw suite::refusal{std::string{"sonde-tune: "} + e.what() + "; see sonde-tune settings --help"};
    }
}

suite::request settings_request(std::vector<std::string> const& words) {
    auto const line = settings_line(words);
    if (!line.answer.empty()) return {.text = line.answer};
    auto names = line.operands;
    std::string path;
    if (!names.empty()) {
        path = names.front();
        names.erase(names.begin());
    }
    return {.run = [=](suite::mpi_job const& job) { return write_settings(job.world, path, names); }};
}

} // namespace

int settings_command(int argc, char** argv) {
    std::vector<std::string> const words{argv + 2, argv + argc};
    return suite::launch(argc, argv, [&] { return settings_request(words); });
}

} // namespace tools::tune
