// SPDX-License-Identifier: BSL-1.0
#include "suite/launcher.hpp"

#include "suite/values.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace suite {

namespace {

/// True if the process is one of a step of srun. Slurm numbers the steps of batch scripts and of the shells of salloc
/// from 2^32 - 16 on, and these shells may have the variables of tasks.
bool in_slurm_step(environment_variable const& variable) {
    auto const step = variable("SLURM_STEP_ID");
    return step && number<std::uint64_t>(*step, 0, 0xffff'ffef);
}

bool has_pmix_namespace(environment_variable const& variable) { return variable("PMIX_NAMESPACE").has_value(); }

bool always(environment_variable const&) { return true; }

struct launcher_row {
    char const* name;
    char const* size; // variable with the number of processes; null: the number that the MPI library is told
    char const* rank; // variable with the rank; without it the launcher has not started this process
    bool (*has_started)(environment_variable const&); // further condition
    char const* remedy;
};

constexpr auto own_launcher = "start it by the launcher of its own library";

/// The rows are in the order in which they are tried, because a process may have the variables of two launchers: with
/// Spectrum MPI jsrun sets those of Open MPI, Slurm starts the daemons of Open MPI and Hydra, and Flux sets those of
/// PALS for Cray's PMI. A batch script of Flux may have FLUX_JOB_SIZE, its number of nodes, but only a task has
/// FLUX_TASK_RANK.
constexpr launcher_row launchers[] = {
    {"jsrun (LSF)", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", always, own_launcher},
    {"mpirun (Open MPI)", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", always, own_launcher},
    {"srun (Slurm)", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", in_slurm_step,
     "try srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list lists the kinds), or the library's own launcher"},
    {"flux run (Flux)", "FLUX_JOB_SIZE", "FLUX_TASK_RANK", always,
     "try flux run -o pmi=pmix, or the library's own launcher"},
    {"mpiexec (PALS)", nullptr, "PALS_RANKID", always, "try mpiexec --pmi=pmix, or the library's own launcher"},
    {"mpiexec (Hydra, of MPICH or Intel MPI)", "PMI_SIZE", "PMI_RANK", always, own_launcher},
    {"A launcher with PMIx", nullptr, "PMIX_RANK", has_pmix_namespace, own_launcher},
};

std::optional<int> number_of(environment_variable const& variable, char const* name) {
    auto const text = variable(name);
    return text ? number<int>(*text, 0, INT_MAX) : std::nullopt;
}

/// Number of processes that the launcher has told the MPI library. A shell that another launcher started alone may have
/// left its number, 1.
std::optional<int> told_size(environment_variable const& variable) {
    return std::max(number_of(variable, "OMPI_COMM_WORLD_SIZE"), number_of(variable, "PMI_SIZE"));
}

std::string offered_pmi(environment_variable const& variable) {
    if (variable("PMIX_NAMESPACE")) return "PMIx";
    if (variable("SLURM_PMI2_STEP_NODES")) return "PMI-2";
    return variable("PMI_RANK") ? "PMI" : "";
}

} // namespace

std::optional<seen_launcher> launcher_in(environment_variable const& variable) {
    auto const told = told_size(variable);
    for (auto const& row : launchers) {
        auto const rank = number_of(variable, row.rank), size = row.size ? number_of(variable, row.size) : told;
        if (!rank || (row.size && !size) || !row.has_started(variable)) continue;
        if (told && size != told) continue; // this launcher has started the daemons of another one
        if (size ? *size > 1 : *rank > 0)
            return seen_launcher{row.name, size, *rank, offered_pmi(variable), row.remedy};
        if (size) return std::nullopt; // alone
    }
    return std::nullopt;
}

std::string complaint_about(seen_launcher const& launcher, std::string const& library) {
    auto const pmi = launcher.pmi.empty() ? "no PMI" : launcher.pmi + ", which this library does not read";
    return launcher.name + " started " + (launcher.size ? std::to_string(*launcher.size) : "several") +
           " processes of a program that is built with " + library + ": each is alone, with " + pmi + "; " +
           launcher.remedy;
}

} // namespace suite
