// SPDX-License-Identifier: BSL-1.0
// Launchers of several processes, by the variables that they set.
#include "suite/launcher.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace suite;

namespace {

using variables = std::map<std::string, std::string>;

std::optional<seen_launcher> seen(variables const& all) {
    return launcher_in([&](char const* name) -> std::optional<std::string> {
        auto const found = all.find(name);
        return found == all.end() ? std::nullopt : std::optional{found->second};
    });
}

variables operator+(variables a, variables const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

variables const allocation{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}, {"SLURM_NPROCS", "4"}};
variables const task{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}};

} // namespace

TEST_CASE("a process without variables of a launcher is alone") { CHECK(!seen({})); }

TEST_CASE("each launcher is known by its variables, with its number of processes and its PMI") {
    auto const pmi = variables{{"PMI_SIZE", "4"}, {"PMI_RANK", "2"}};
    auto const pmix = variables{{"PMIX_NAMESPACE", "job.1"}, {"PMIX_RANK", "2"}};
    auto const flux = variables{{"FLUX_JOB_SIZE", "4"}, {"FLUX_TASK_RANK", "2"}};
    auto const jsrun = variables{{"JSM_NAMESPACE_SIZE", "4"}, {"JSM_NAMESPACE_RANK", "2"}};
    auto const open_mpi = variables{{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}};
    struct {
        variables set;
        char const *name, *pmi;
    } const cases[] = {{open_mpi + pmix, "mpirun (Open MPI)", "PMIx"},
                       {open_mpi, "mpirun (Open MPI)", ""},
                       {pmi, "mpiexec (Hydra, of MPICH or Intel MPI)", "PMI"},
                       {task, "srun (Slurm)", ""}, // srun --mpi=none
                       {task + pmi + variables{{"SLURM_PMI2_STEP_NODES", "n[1-2]"}}, "srun (Slurm)", "PMI-2"},
                       {task + pmix, "srun (Slurm)", "PMIx"},
                       {flux, "flux run (Flux)", ""},
                       {flux + pmi, "flux run (Flux)", "PMI"},
                       {flux + pmix, "flux run (Flux)", "PMIx"},
                       {flux + pmi + variables{{"PALS_RANKID", "2"}}, "flux run (Flux)", "PMI"}, // -o pmi=cray-pals
                       {pmi + variables{{"PALS_RANKID", "2"}}, "mpiexec (PALS)", "PMI"},
                       {jsrun + pmix, "jsrun (LSF)", "PMIx"},
                       {jsrun + pmix + open_mpi, "jsrun (LSF)", "PMIx"}}; // with Spectrum MPI
    for (auto const& c : cases) {
        auto const found = seen(allocation + c.set);
        CAPTURE(c.name);
        REQUIRE(found);
        CHECK(found->name == c.name);
        CHECK(found->pmi == c.pmi);
        CHECK((found->size == 4 && found->rank == 2 && !found->speaks()));
    }
    CHECK(seen({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}}).value().speaks());
}

TEST_CASE("a launcher of one process has started it alone, also in a step of srun") {
    CHECK(!seen({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}}));
    CHECK(!seen(task + variables{{"OMPI_COMM_WORLD_SIZE", "1"}}));
    CHECK(!seen(task + variables{{"PMI_SIZE", "1"}}));
}

TEST_CASE("a task of srun is known by its step") {
    auto const found = seen(allocation + task);
    REQUIRE(found);
    CHECK(found->name == "srun (Slurm)");
    CHECK((found->size == 4 && found->rank == 2 && !found->speaks()));
    CHECK(found->remedy.find("try srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list") == 0);
}

TEST_CASE("a process in an allocation of Slurm that is no task of srun is alone") {
    CHECK(!seen(allocation));                                    // salloc
    CHECK(!seen(allocation + variables{{"SLURM_PROCID", "0"}})); // a batch script
    CHECK(!seen(allocation + variables{{"SLURM_PROCID", "0"},    // a shell of salloc in a step
                                       {"SLURM_STEP_ID", "4294967290"},
                                       {"SLURM_STEP_NUM_TASKS", "4"}}));
    CHECK(!seen(allocation + variables{{"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
}

TEST_CASE("a step of the number of processes of another launcher is that launcher's way to its nodes") {
    auto const nodes = variables{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}};
    auto const found = seen(nodes + variables{{"PMI_SIZE", "8"}, {"PMI_RANK", "5"}});
    REQUIRE(found);
    CHECK(found->name == "mpiexec (Hydra, of MPICH or Intel MPI)");
    CHECK(found->rank == 5);
    auto const jsrun = variables{{"JSM_NAMESPACE_SIZE", "1"}, {"JSM_NAMESPACE_RANK", "0"}};
    auto const open_mpi = variables{{"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_RANK", "5"}};
    CHECK(seen(jsrun + open_mpi).value().name == "mpirun (Open MPI)");
    CHECK(seen(nodes + open_mpi).value().name == "mpirun (Open MPI)");
    auto const alone = variables{{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}};
    CHECK(seen(alone + variables{{"PMI_SIZE", "8"}, {"PMI_RANK", "5"}}).value().rank == 5);
}

TEST_CASE("a process in a batch script of Flux that is no task of flux run is alone") {
    CHECK(!seen({{"FLUX_JOB_SIZE", "2"}, {"FLUX_JOB_NNODES", "2"}}));
    CHECK(!seen({{"FLUX_JOB_SIZE", "1"}, {"FLUX_TASK_RANK", "0"}}));
    auto const hydra = seen({{"FLUX_JOB_SIZE", "2"}, {"PMI_SIZE", "2"}, {"PMI_RANK", "1"}});
    REQUIRE(hydra);
    CHECK(hydra->name == "mpiexec (Hydra, of MPICH or Intel MPI)");
}

TEST_CASE("without a number of processes, rank 1 speaks: rank 0 may be alone") {
    for (auto const* variable : {"PMIX_RANK", "PALS_RANKID"}) {
        auto const of_rank = [&](std::string const& rank) {
            return seen({{variable, rank}, {"PMIX_NAMESPACE", "job.1"}});
        };
        CHECK(!of_rank("0"));
        CHECK(of_rank("1").value().speaks());
        CHECK(!of_rank("2").value().speaks());
    }
    CHECK(!seen({{"PMIX_RANK", "4294967295"}, {"PMIX_NAMESPACE", "job.1"}})); // PMIX_RANK_UNDEF
}

TEST_CASE("texts that are no numbers are none") {
    CHECK(!seen({{"OMPI_COMM_WORLD_SIZE", "many"}, {"OMPI_COMM_WORLD_RANK", "1"}}));
}

TEST_CASE("the complaint names the launcher, the number of processes, the library and the PMI that it does not read") {
    CHECK(complaint_about({"srun (Slurm)", 4, 0, "", "try another"}, "MPICH 4") ==
          "srun (Slurm) started 4 processes of a program that is built with MPICH 4: each is alone, with no PMI; "
          "try another");
    CHECK(complaint_about({"A launcher with PMIx", {}, 1, "PMIx", "try another"}, "MPICH 4") ==
          "A launcher with PMIx started several processes of a program that is built with MPICH 4: each is alone, with "
          "PMIx, which this library does not read; try another");
}
