// SPDX-License-Identifier: BSL-1.0
#include "suite/launcher.hpp"

#include <string_view>

namespace suite {

namespace {

std::string offered_pmi(sonde::environment_variable const& variable) {
    // Open MPI 4 sets the variables of PMIx in MPI_Init for a process that is alone; the recorder asks behind it.
    if (variable("PMIX_NAMESPACE") && variable("OMPI_MCA_ess") != "singleton") return "PMIx";
    if (variable("PMI_RANK") && variable("SLURM_MPI_TYPE") == "pmi2") return "PMI-2";
    return variable("PMI_RANK") ? "PMI" : "";
}

} // namespace

std::optional<launched_job> launched_job_in(sonde::environment_variable const& variable) {
    auto const process = sonde::launched_process_in(variable);
    if (!process || (process->size ? *process->size < 2 : process->rank == 0)) return std::nullopt;
    return launched_job{*process, offered_pmi(variable)};
}

std::string complaint_about(launched_job const& job, std::string const& library) {
    auto const& [launcher, size, rank] = job.process;
    auto const pmi = job.pmi.empty() ? "no PMI" : job.pmi + ", which does not connect this library";
    return launcher->name + std::string{" started "} + (size ? std::to_string(*size) : "several") +
           " processes of a program that is built with " + library + ": each is alone, with " + pmi + "; " +
           launcher->remedy;
}

std::string warning_before_start(launched_job const& job, std::string const& library) {
    if (job.process.launcher->name != std::string_view{"srun"} || job.pmi == "PMIx" ||
        library.rfind("Open MPI v4", 0) != 0)
        return "";
    return "srun offers " + (job.pmi.empty() ? "no PMI" : job.pmi + " and no PMIx") +
           " to a program that is built with " + library.substr(0, library.find(',')) +
           ", which may end it now: try srun --mpi=pmix (srun --mpi=list lists the kinds), or mpirun\n";
}

} // namespace suite
