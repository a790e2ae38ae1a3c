// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/launcher.hpp>

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>

namespace {

using variables = std::map<std::string, std::string>;

std::optional<sonde::launched_process> launched(variables const& all) {
    return sonde::launched_process_in([&](char const* name) -> std::optional<std::string> {
        auto const found = all.find(name);
        return found == all.end() ? std::nullopt : std::optional{found->second};
    });
}

/// Name of the launcher, rank and number of processes: "srun 2 of 4"; empty if there is no launcher.
std::string seen(variables const& all) {
    auto const process = launched(all);
    if (!process) return "";
    auto const size = process->size ? std::to_string(*process->size) : "several";
    return process->launcher->name + (' ' + std::to_string(process->rank)) + " of " + size;
}

variables operator+(variables a, variables const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

variables const allocation{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}, {"SLURM_NPROCS", "4"}};
variables const task{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}};
variables const daemon_task{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}};
variables const open_mpi{{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}};
variables const open_mpi_alone{{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}};
variables const pmi{{"PMI_SIZE", "4"}, {"PMI_RANK", "2"}};
variables const pmix{{"PMIX_NAMESPACE", "job.1"}, {"PMIX_RANK", "2"}};
variables const hydra = pmi + variables{{"MPI_LOCALNRANKS", "2"}};
variables const flux{{"FLUX_JOB_SIZE", "4"}, {"FLUX_TASK_RANK", "2"}};
variables const pals{{"PALS_RANKID", "2"}};
variables const jsrun{{"JSM_NAMESPACE_SIZE", "4"}, {"JSM_NAMESPACE_RANK", "2"}};

} // namespace

TEST_CASE("each launcher is recognized by its variables, with the rank and the number of processes") {
    CHECK(seen({}).empty());
    CHECK(seen(open_mpi) == "mpirun (Open MPI) 2 of 4");
    CHECK(seen(open_mpi + pmix) == "mpirun (Open MPI) 2 of 4");
    CHECK(seen(hydra) == "mpiexec (Hydra) 2 of 4");
    CHECK(seen(task) == "srun 2 of 4"); // srun --mpi=none
    CHECK(seen(task + pmix) == "srun 2 of 4");
    CHECK(seen(flux) == "flux run 2 of 4");
    CHECK(seen(flux + pmix) == "flux run 2 of 4");
    CHECK(seen(pals) == "mpiexec (PALS) 2 of several");
    CHECK(seen(pals + pmi) == "mpiexec (PALS) 2 of 4");
    CHECK(seen(jsrun + pmix) == "jsrun 2 of 4");
    CHECK(seen(pmix) == "a launcher with PMIx 2 of several");
    CHECK(seen(pmi) == "a launcher with PMI 2 of 4");
}

TEST_CASE("a launcher that sets the variables of another one has its own name") {
    CHECK(seen(allocation + task + pmi + variables{{"SLURM_PMI2_STEP_NODES", "n[1-2]"}}) ==
          "srun 2 of 4");                                   // --mpi=pmi2
    CHECK(seen(flux + pmi) == "flux run 2 of 4");           // -o pmi=simple
    CHECK(seen(flux + pmi + pals) == "flux run 2 of 4");    // -o pmi=cray-pals
    CHECK(seen(jsrun + pmix + open_mpi) == "jsrun 2 of 4"); // Spectrum MPI
}

TEST_CASE("the launcher is the nearest one, not the one that started its daemons or its shell") {
    CHECK(seen(daemon_task + open_mpi + pmix) == "mpirun (Open MPI) 2 of 4");
    CHECK(seen(task + open_mpi) == "mpirun (Open MPI) 2 of 4"); // one process per daemon
    CHECK(seen(task + open_mpi_alone) == "mpirun (Open MPI) 0 of 1");
    CHECK(seen(daemon_task + hydra) == "mpiexec (Hydra) 2 of 4");
    CHECK(seen(task + hydra) == "mpiexec (Hydra) 2 of 4");
    CHECK(seen(variables{{"JSM_NAMESPACE_SIZE", "1"}, {"JSM_NAMESPACE_RANK", "0"}} + open_mpi) ==
          "mpirun (Open MPI) 2 of 4");
    // mpirun in a shell of jsrun, with as many processes as jsrun started
    CHECK(seen(variables{{"JSM_NAMESPACE_SIZE", "4"}, {"JSM_NAMESPACE_RANK", "0"}} + open_mpi) ==
          "mpirun (Open MPI) 2 of 4");
    for (auto const* own : {"OMPI_COMMAND", "PRTE_LAUNCHED"})
        CHECK(seen(jsrun + open_mpi + variables{{own, "1"}}) == "mpirun (Open MPI) 2 of 4");
    CHECK(seen(open_mpi_alone + hydra) == "mpiexec (Hydra) 2 of 4");
    CHECK(seen(task + flux) == "flux run 2 of 4"); // an instance of Flux in a job of Slurm
    CHECK(seen(daemon_task + variables{{"PMI_SIZE", "1"}}).empty());
}

TEST_CASE("an allocation, a batch script, and a shell of salloc are no tasks") {
    CHECK(seen(allocation).empty());
    CHECK(seen(allocation + variables{{"SLURM_PROCID", "0"}}).empty());
    for (auto const* step : {"4294967295", "4294967291", "4294967280", "batch", ""})
        CHECK(seen(allocation + variables{{"SLURM_STEP_ID", step}} + task).empty());
    CHECK(seen(variables{{"SLURM_STEP_ID", "4294967279"}} + task) == "srun 2 of 4");
    CHECK(seen({{"FLUX_JOB_SIZE", "2"}, {"FLUX_JOB_NNODES", "2"}}).empty());
    CHECK(seen(variables{{"FLUX_JOB_SIZE", "2"}} + hydra) == "mpiexec (Hydra) 2 of 4");
}

TEST_CASE("values that are no numbers or no ranks of a launcher are none") {
    CHECK(seen({{"OMPI_COMM_WORLD_SIZE", "many"}, {"OMPI_COMM_WORLD_RANK", "1"}}).empty());
    CHECK(seen({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "-1"}}).empty());
    CHECK(seen({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "1 "}}).empty());
    CHECK(seen({{"PMIX_RANK", "4294967295"}, {"PMIX_NAMESPACE", "job.1"}}).empty()); // PMIX_RANK_UNDEF
    CHECK(seen({{"PMIX_RANK", "1"}}).empty());
    CHECK(seen(pmix + variables{{"OMPI_MCA_ess", "singleton"}}).empty()); // started alone, after MPI_Init
}

TEST_CASE("what to do about processes that are each alone is said for each launcher") {
    CHECK(launched(task)->launcher->remedy ==
          std::string{"try srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list lists the kinds), or the library's own "
                      "launcher"});
    CHECK(launched(flux)->launcher->remedy == std::string{"try flux run -o pmi=pmix, or the library's own launcher"});
    CHECK(launched(pals)->launcher->remedy == std::string{"try mpiexec --pmi=pmix, or the library's own launcher"});
    for (auto const& own : {jsrun, open_mpi, hydra, pmix, pmi})
        CHECK(launched(own)->launcher->remedy == std::string{"start it by the launcher of its own library"});
}
