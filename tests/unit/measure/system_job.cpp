// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/environment.hpp>
#include <sonde/measure/system.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using sonde::job_of_process;

namespace {

using variable_meanings = std::vector<std::pair<char const*, char const*>>;

/// Environment variables that end with the test. The variables of jobs and launchers around this test are removed.
struct job_variables {
    std::vector<std::string> names{
        "FLUX_JOB_ID",          "SLURM_JOB_ID",       "PBS_JOBID",       "LSB_JOBID",
        "OMPI_COMM_WORLD_RANK", "JSM_NAMESPACE_RANK", "FLUX_TASK_RANK",  "FLUX_JOB_SIZE",
        "PALS_RANKID",          "SLURM_PROCID",       "PMIX_RANK",       "PMI_RANK",
        "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",           "MPI_LOCALNRANKS", "SLURM_ARRAY_JOB_ID",
        "SLURM_ARRAY_TASK_ID"};

    job_variables() { clear(); }
    job_variables(job_variables const&) = delete;
    ~job_variables() { clear(); }
    void clear() const {
        for (auto const& name : names) unsetenv(name.c_str());
    }
    static void set(char const* name, char const* value = "0") { setenv(name, value, 1); }
};

} // namespace

TEST_CASE_FIXTURE(job_variables, "a job has the id of its resource manager; of Flux within Slurm, that of Flux") {
    CHECK(job_of_process().id.empty());
    CHECK(job_of_process().resource_manager.empty());
    for (auto const& [variable, manager] : variable_meanings{
             {"LSB_JOBID", "LSF"}, {"PBS_JOBID", "PBS"}, {"SLURM_JOB_ID", "Slurm"}, {"FLUX_JOB_ID", "Flux"}}) {
        set(variable, (std::string{"id of "} + manager).c_str());
        CHECK(job_of_process().resource_manager == manager);
        CHECK(job_of_process().id == std::string{"id of "} + manager);
    }
}

TEST_CASE_FIXTURE(job_variables, "a task of an array of Slurm has the array's id and its number, beside its own id") {
    set("SLURM_ARRAY_JOB_ID", "1234");
    set("SLURM_ARRAY_TASK_ID", "7");
    CHECK(job_of_process().array_task.empty()); // no job
    set("SLURM_JOB_ID", "1240");
    CHECK(job_of_process().id == "1240");
    CHECK(job_of_process().array_task == "1234_7");
    unsetenv("SLURM_ARRAY_TASK_ID");
    CHECK(job_of_process().array_task.empty());
}

TEST_CASE_FIXTURE(job_variables, "a job has the name of the launcher") {
    CHECK(job_of_process().launcher.empty());
    set("PALS_RANKID"); // with Cray's PMI
    CHECK(job_of_process().launcher == "mpiexec (PALS)");
    set("FLUX_TASK_RANK");
    set("FLUX_JOB_SIZE");
    CHECK(job_of_process().launcher == "flux run");
}

TEST_CASE_FIXTURE(job_variables, "a variable of Hydra's tasks that the library has set is not of the launcher") {
    set("PMI_RANK");
    set("PMI_SIZE", "2");
    set("MPI_LOCALNRANKS", "1"); // as Intel MPI does in MPI_Init
    CHECK(job_of_process().launcher == "a launcher with PMI");
}

TEST_CASE("the transport has the variables that are set, in the order of the allow-list, and no others") {
    auto const told = [] {
        std::string all;
        for (auto const& p : sonde::transport_of_process()) all += p.name + '=' + p.text + ' ';
        return all;
    };
    for (auto const* name : sonde::recorded_transport_variables) unsetenv(name);
    CHECK(told().empty());
    setenv("UCX_LOG_FILE", "/home/me/secret", 1);
    setenv("I_MPI_OFI_PROVIDER", "verbs", 1);
    setenv("FI_PROVIDER", "tcp;ofi_rxm", 1);
    setenv("UCX_NET_DEVICES", "mlx5_0:1", 1);
    setenv("I_MPI_FABRICS", "shm:ofi", 1);
    setenv("UCX_TLS", "rc,sm", 1);
    CHECK(told() == "UCX_TLS=rc,sm UCX_NET_DEVICES=mlx5_0:1 FI_PROVIDER=tcp;ofi_rxm I_MPI_FABRICS=shm:ofi "
                    "I_MPI_OFI_PROVIDER=verbs ");
    CHECK(sonde::local_environment().transport.size() == 5);
    unsetenv("UCX_LOG_FILE");
    for (auto const* name : sonde::recorded_transport_variables) unsetenv(name);
}

TEST_CASE("a date is in UTC, with a letter between day and time") {
    auto const date = sonde::utc_date();
    REQUIRE(date.size() == 20);
    std::string form = date;
    for (auto& c : form)
        if (c >= '0' && c <= '9') c = '0';
    CHECK(form == "0000-00-00T00:00:00Z");
}
