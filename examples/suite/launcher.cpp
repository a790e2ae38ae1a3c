// SPDX-License-Identifier: BSL-1.0
#include "suite/launcher.hpp"

#include "suite/values.hpp"

#include <climits>
#include <cstdint>

namespace suite {

namespace {

constexpr auto own_launcher = "start it by the launcher of its own library";

std::optional<int> number_of(environment_variable const& variable, char const* name) {
    auto const text = variable(name);
    return text ? number<int>(*text, 0, INT_MAX) : std::nullopt;
}

/// Processes of a launcher: their number, and the rank of this one.
struct process_count {
    int size = 0; // 0: the launcher's variables are not set
    int rank = 0;
};

process_count count_by(environment_variable const& variable, char const* size, char const* rank) {
    return {number_of(variable, size).value_or(0), number_of(variable, rank).value_or(0)};
}

/// Tasks of the step of srun that this process is one of. Slurm numbers the steps of batch scripts and of the shells of
/// salloc from 2^32 - 16 on, and these shells may have the variables of tasks.
process_count slurm_step(environment_variable const& variable) {
    auto const step = variable("SLURM_STEP_ID");
    if (!step || !number<std::uint64_t>(*step, 0, 0xffff'ffef) || !variable("SLURM_PROCID")) return {};
    return count_by(variable, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID");
}

/// Tasks of the job of flux run that this process is one of. Only these have FLUX_TASK_RANK: a batch script of Flux may
/// have FLUX_JOB_SIZE, its number of nodes.
process_count flux_job(environment_variable const& variable) {
    if (!number_of(variable, "FLUX_TASK_RANK")) return {};
    return count_by(variable, "FLUX_JOB_SIZE", "FLUX_TASK_RANK");
}

seen_launcher slurm(process_count const& found) {
    return {"srun (Slurm)", found.size, found.rank,
            "srun passes them no PMI that this library reads: try srun --mpi=pmix (srun --mpi=list lists the kinds), "
            "or the library's own launcher"};
}

seen_launcher flux(process_count const& found) {
    return {"flux run (Flux)", found.size, found.rank,
            "Flux passes them no PMI that this library reads: try flux run -o pmi=pmix, or the library's own launcher"};
}

seen_launcher pals(std::optional<int> size, int rank) {
    return {"mpiexec (PALS)", size, rank,
            "PALS passes them no PMI that this library reads: try mpiexec --pmi=pmix, or the library's own launcher"};
}

/// The launcher whose processes have PMI_SIZE, which resource managers set, too.
seen_launcher by_pmi(environment_variable const& variable, process_count const& found) {
    if (slurm_step(variable).size == found.size) return slurm(found);
    if (flux_job(variable).size == found.size) return flux(found);
    if (variable("PALS_RANKID")) return pals(found.size, found.rank);
    return {"A launcher of MPICH", found.size, found.rank, own_launcher};
}

} // namespace

std::optional<seen_launcher> launcher_in(environment_variable const& variable) {
    auto const open_mpi = count_by(variable, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK");
    auto const pmi = count_by(variable, "PMI_SIZE", "PMI_RANK");
    if (open_mpi.size > 1) return seen_launcher{"A launcher of Open MPI", open_mpi.size, open_mpi.rank, own_launcher};
    if (pmi.size > 1) return by_pmi(variable, pmi);
    if (open_mpi.size == 1 || pmi.size == 1) return std::nullopt; // alone, in a step of a resource manager or not
    if (auto const step = slurm_step(variable); step.size > 1) return slurm(step);
    if (auto const job = flux_job(variable); job.size > 1) return flux(job);
    if (auto const rank = number_of(variable, "PALS_RANKID").value_or(0); rank > 0) return pals(std::nullopt, rank);
    if (auto const rank = number_of(variable, "PMIX_RANK").value_or(0); rank > 0 && variable("PMIX_NAMESPACE"))
        return seen_launcher{"A launcher with PMIx", std::nullopt, rank, own_launcher};
    return std::nullopt;
}

std::string complaint_about(seen_launcher const& launcher, std::string const& library) {
    return launcher.name + " started " + (launcher.size ? std::to_string(*launcher.size) : "several") +
           " processes of a program that is built with " + library + ": each is alone; " + launcher.remedy;
}

} // namespace suite
