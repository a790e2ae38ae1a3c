// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <functional>
#include <optional>
#include <string>

// The launcher of a process, from its environment: one table for records and for messages about processes that a
// launcher does not connect.

namespace sonde::inline v0_1 {

/// Value of an environment variable; none if it is not set.
using environment_variable = std::function<std::optional<std::string>(char const* name)>;

/// An environment variable of this process.
[[nodiscard]] std::optional<std::string> variable_of_process(char const* name);

/// Launcher, and the environment variables by which the processes that it starts recognize it.
struct known_launcher {
    char const* name;                                 // "srun"
    char const* rank;                                 // variable with the rank of the process
    char const* size;                                 // variable with the number of processes; null if there is none
    bool (*has_started)(environment_variable const&); // further condition; null if there is none
    char const* remedy;                               // for processes that are each alone
};

/// Process among those that a launcher started.
struct launched_process {
    known_launcher const* launcher; // never null
    std::optional<int> size;        // number of processes, if the environment has it
    int rank;                       // of this process, from 0
};

/// This process among those of the launcher that is nearest to it, by the variables of its environment. None for a
/// process without a launcher, also in an allocation of a resource manager: only the tasks of a step of srun count, not
/// the shells of salloc and sbatch.
[[nodiscard]] std::optional<launched_process> launched_process_in(environment_variable const& variable);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

namespace sonde::inline v0_1::detail {

/// Number from 0 to `most` that is the whole value of a variable.
template <class N>
std::optional<N> number_of(environment_variable const& variable, char const* name, N most) {
    auto const text = variable(name).value_or("");
    N number{};
    auto const* const end = text.data() + text.size();
    auto const [stopped, error] = std::from_chars(text.data(), end, number);
    auto const is_number = error == std::errc{} && stopped == end && number >= 0 && number <= most;
    return is_number ? std::optional{number} : std::nullopt;
}

/// The variables of a task are also in the shells of salloc, and in batch scripts. Slurm numbers the steps of these
/// from 2^32 - 16 on.
SONDE_INLINE bool is_in_slurm_step(environment_variable const& variable) {
    return number_of(variable, "SLURM_STEP_ID", std::uint32_t{0xffff'ffef}).has_value();
}

/// PMI_RANK is also set by srun --mpi=pmi2, Flux and PALS.
SONDE_INLINE bool is_of_hydra(environment_variable const& variable) { return variable("MPI_LOCALNRANKS").has_value(); }

/// Open MPI 4 sets the variables of PMIx in a process that was started alone, and says so.
SONDE_INLINE bool is_started_by_pmix(environment_variable const& variable) {
    return variable("PMIX_NAMESPACE") && variable("OMPI_MCA_ess") != "singleton";
}

/// Spectrum MPI's jsrun sets Open MPI's rank to its own. A process of mpirun in a shell of jsrun has the shell's rank,
/// and a variable of Open MPI 4 or 5 by which rank 0 differs, too.
SONDE_INLINE bool is_of_jsrun(environment_variable const& variable) {
    auto const rank = variable("OMPI_COMM_WORLD_RANK");
    return !rank || (rank == variable("JSM_NAMESPACE_RANK") && !variable("OMPI_COMMAND") && !variable("PRTE_LAUNCHED"));
}

/// In MPI_Init, Intel MPI sets the variable of Hydra's tasks, whatever the launcher. /proc has the variables from
/// before.
SONDE_INLINE bool is_set_by_library(std::string_view name) {
    if (name != "MPI_LOCALNRANKS") return false;
    std::ifstream file{"/proc/self/environ"};
    if (!file) return false;
    for (std::string variable; std::getline(file, variable, '\0');)
        if (variable.substr(0, variable.find('=')) == name) return false;
    return true;
}

inline constexpr auto own_launcher = "start it by the launcher of its own library";

/// The launchers from the nearest to a process, which may have the variables of several: mpirun and Hydra start their
/// daemons by a launcher of the resource manager, with Spectrum MPI jsrun sets the variables of Open MPI, and Flux sets
/// those of PALS for Cray's PMI. A batch script of Flux may have FLUX_JOB_SIZE, its number of nodes, but only a task
/// has FLUX_TASK_RANK.
inline constexpr known_launcher known_launchers[] = {
    {"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", is_of_jsrun, own_launcher},
    {"mpirun (Open MPI)", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr, own_launcher},
    {"mpiexec (Hydra)", "PMI_RANK", "PMI_SIZE", is_of_hydra, own_launcher},
    {"flux run", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", nullptr, "try flux run -o pmi=pmix, or the library's own launcher"},
    {"mpiexec (PALS)", "PALS_RANKID", nullptr, nullptr, "try mpiexec --pmi=pmix, or the library's own launcher"},
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", is_in_slurm_step,
     "try srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list lists the kinds), or the library's own launcher"},
    {"a launcher with PMIx", "PMIX_RANK", nullptr, is_started_by_pmix, own_launcher},
    {"a launcher with PMI", "PMI_RANK", "PMI_SIZE", nullptr, own_launcher},
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::optional<std::string> variable_of_process(char const* name) {
    auto const* const value = detail::is_set_by_library(name) ? nullptr : std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

SONDE_INLINE std::optional<launched_process> launched_process_in(environment_variable const& variable) {
    auto const number = [&](char const* name) { return detail::number_of(variable, name, INT_MAX); };
    // Of two sizes that MPI libraries are told, one is left from a shell that another launcher started alone.
    auto const told = std::max(number("OMPI_COMM_WORLD_SIZE"), number("PMI_SIZE"));
    for (auto const& launcher : detail::known_launchers) {
        auto const rank = number(launcher.rank), size = launcher.size == nullptr ? told : number(launcher.size);
        if (!rank || (launcher.size != nullptr && !size)) continue;
        if (told && size != told) continue; // it started the daemons of another launcher
        if (launcher.has_started == nullptr || launcher.has_started(variable))
            return launched_process{&launcher, size, *rank};
    }
    return std::nullopt;
}

} // namespace sonde

#endif
