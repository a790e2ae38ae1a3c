// SPDX-License-Identifier: BSL-1.0
// Jobs whose processes a launcher may have left alone; tests/unit/measure/environment.cpp has the launchers.
#include "suite/launcher.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace suite;

namespace {

using variables = std::map<std::string, std::string>;

std::optional<launched_job> seen(variables const& all) {
    return launched_job_in([&](char const* name) -> std::optional<std::string> {
        auto const found = all.find(name);
        return found == all.end() ? std::nullopt : std::optional{found->second};
    });
}

variables task(std::string const& rank, std::string const& size, variables const& more = {}) {
    variables all{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", size}, {"SLURM_PROCID", rank}};
    all.insert(more.begin(), more.end());
    return all;
}

} // namespace

TEST_CASE("a process is alone without a launcher, and if its launcher started no other one") {
    CHECK(!seen({}));
    CHECK(!seen(task("0", "1")));
    CHECK(!seen({{"FLUX_JOB_SIZE", "1"}, {"FLUX_TASK_RANK", "0"}}));
    CHECK(!seen(task("2", "4", {{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}})));
    CHECK(!seen(task("2", "4", {{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}, {"MPI_LOCALNRANKS", "1"}})));
}

TEST_CASE("of several processes rank 0 speaks") {
    auto const job = seen(task("2", "4"));
    REQUIRE(job);
    CHECK((job->process.size == 4 && job->process.rank == 2 && !job->speaks()));
    CHECK(seen(task("0", "4")).value().speaks());
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
}

TEST_CASE("the process management interface is that of the launcher's variables") {
    CHECK(seen(task("2", "4")).value().pmi.empty()); // srun --mpi=none
    CHECK(seen(task("2", "4", {{"PMIX_NAMESPACE", "job.1"}})).value().pmi == "PMIx");
    variables const pmi{{"PMI_SIZE", "4"}, {"PMI_RANK", "2"}};
    CHECK(seen(pmi).value().pmi == "PMI");
    auto alone = pmi; // after MPI_Init of Open MPI 4
    alone["PMIX_NAMESPACE"] = "job.1";
    alone["OMPI_MCA_ess"] = "singleton";
    CHECK(seen(alone).value().pmi == "PMI");
    auto pmi_2 = task("2", "4", pmi);
    pmi_2["SLURM_MPI_TYPE"] = "pmi2";
    CHECK(seen(pmi_2).value().pmi == "PMI-2");
}

TEST_CASE(
    "the complaint names the launcher, the number of processes, the library and the PMI that does not connect it") {
    CHECK(complaint_about(seen(task("0", "4")).value(), "MPICH 4") ==
          "srun started 4 processes of a program that is built with MPICH 4: each is alone, with no PMI; try srun "
          "--mpi=pmix or --mpi=pmi2 (srun --mpi=list lists the kinds), or the library's own launcher");
    CHECK(complaint_about(seen({{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "job.1"}}).value(), "MPICH 4") ==
          "a launcher with PMIx started several processes of a program that is built with MPICH 4: each is alone, with "
          "PMIx, which does not connect this library; start it by the launcher of its own library");
}

TEST_CASE("before Open MPI 4 ends the processes of srun, a line says what is missing") {
    auto const of = [](std::string const& library, variables const& more) {
        return warning_before_start(seen(task("0", "4", more)).value(), library);
    };
    auto const library = "Open MPI v4.1.4, package: Debian OpenMPI";
    CHECK(of(library, {}) ==
          "srun offers no PMI to a program that is built with Open MPI v4.1.4, which may end it now: try "
          "srun --mpi=pmix (srun --mpi=list lists the kinds), or mpirun\n");
    CHECK(of(library, {{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"SLURM_MPI_TYPE", "pmi2"}})
              .rfind("srun offers PMI-2 and no PMIx to", 0) == 0);
    CHECK(of(library, {{"PMIX_NAMESPACE", "job.1"}}).empty());
    CHECK(of("Open MPI v5.0.11", {}).empty()); // it starts each process alone
    CHECK(of("MPICH Version: 4.0.2", {}).empty());
    CHECK(warning_before_start(seen({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}).value(), library).empty());
}
