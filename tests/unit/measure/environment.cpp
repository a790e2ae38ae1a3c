// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/environment.hpp>
#include <sonde/measure/launcher.hpp>

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

/// The number of processors of the simulated machine; 0: those of the real one.
std::size_t processors = 0;

} // namespace

/// Like Linux, refuses a set that has no room for all processors. This process may run on the first and on the last
/// one.
extern "C" int sched_getaffinity(pid_t pid, std::size_t bytes, cpu_set_t* set) noexcept {
    if (processors == 0) return syscall(SYS_sched_getaffinity, pid, bytes, set) < 0 ? -1 : 0;
    if (8 * bytes < processors) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(0, bytes, set);
    CPU_SET_S(processors - 1, bytes, set);
    return 0;
}

namespace {

/// A shell's arguments for a command line, each in brackets.
std::string read_by_shell(std::string const& line) {
    auto* const shell = popen(("printf '[%s]' " + line).c_str(), "r");
    std::string words;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) words += static_cast<char>(c);
    pclose(shell);
    return words;
}

} // namespace

TEST_CASE("a binding is found on a machine of any number of processors") {
    for (std::size_t const n : {4u, 1024u, 1025u, 5000u, 1u << 20}) {
        processors = n;
        CHECK(sonde::detail::binding() == "0," + std::to_string(n - 1));
    }
    processors = 1u << 21; // more than the limit
    CHECK(sonde::detail::binding() == "unknown");
    processors = 0;
    CHECK(sonde::detail::binding() != "unknown");
}

TEST_CASE("a command line is printed as it was typed") {
    char const* const words[] = {"./osu_latency", "-m", "1:8", "--report", "json=out.json"};
    CHECK(sonde::command_line(5, words) == "./osu_latency -m 1:8 --report json=out.json");
    CHECK(sonde::command_line(0, nullptr) == "");
}

TEST_CASE("an argument with characters that a shell interprets is quoted") {
    char const* const words[] = {"a b", "", "it's", "~"};
    CHECK(sonde::command_line(4, words) == "'a b' '' 'it'\\''s' '~'");
}

TEST_CASE("a shell parses a printed command line into the same arguments, with any characters") {
    std::vector<char const*> const words{"a b",  "",           "it's",    "$HOME",      "`id`",
                                         "x\\y", "#",          "a;b|c&d", "*?[x]{1,2}", "~",
                                         "!",    "two\nlines", "\"q\"",   "-x=1",       "<in>(sub)"};
    std::string expected;
    for (std::string const word : words) expected += '[' + word + ']';
    CHECK(read_by_shell(sonde::command_line(static_cast<int>(words.size()), words.data())) == expected);
}

TEST_CASE("processors are listed as ranges") {
    CHECK(sonde::detail::processor_list({true, true, true, true, false, false, false, false, true}) == "0-3,8");
    CHECK(sonde::detail::processor_list({false, true, false, true}) == "1,3");
    CHECK(sonde::detail::processor_list({false, false}) == "");
    CHECK(sonde::detail::processor_list({true, true}) == "0-1");
}

TEST_CASE("without a communication library the environment has one rank on this host") {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    auto const e = sonde::local_environment();
    CHECK(e.hosts == std::vector<std::string>{host});
    CHECK(e.ranks_per_host == std::vector{1});
    CHECK(e.bindings.size() == 1);
    CHECK(e.bindings[0].find_first_of("0123456789") == 0);
    CHECK(e.sonde_version == SONDE_VERSION);
    CHECK(!e.compiler.empty());
    CHECK(e.schema_version == sonde::schema_version);
    CHECK(e.date <= sonde::utc_date());
    CHECK(e.system.kernel == sonde::system_of_host().kernel);
    CHECK(e.stolen_before.has_value() == sonde::stolen_time().has_value());
    CHECK(!e.stolen);
}

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
    CHECK(seen(allocation + task + pmi + variables{{"SLURM_MPI_TYPE", "pmi2"}}) == "srun 2 of 4"); // --mpi=pmi2
    CHECK(seen(flux + pmi) == "flux run 2 of 4");                                                  // -o pmi=simple
    CHECK(seen(flux + pmi + pals) == "flux run 2 of 4");                                           // -o pmi=cray-pals
    CHECK(seen(jsrun + pmix + open_mpi) == "jsrun 2 of 4");                                        // Spectrum MPI
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
