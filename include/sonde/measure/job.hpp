// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/version.hpp>

#include <string>
#include <vector>

// The environment variables of a process that are recorded: ids of its job, settings of its transport. The date.

namespace sonde::inline v0_1 {

/// Job of a resource manager, and the launcher of the process.
struct job_info {
    std::string resource_manager; // "Slurm", "PBS", "LSF", "Flux"
    std::string id;               // that the resource manager gave to the job
    std::string launcher;         // "srun", "mpirun (Open MPI)", ...
};

/// Environment variable with the id of a job.
struct job_variable {
    char const* name;             // of the variable
    char const* resource_manager; // "Slurm"
};

/// The allow-list of environment variables with the id of a job, whose values are recorded. Launchers are recognized by
/// the names of their variables. Beyond these and `recorded_transport_variables` nothing is recorded, because variables
/// may hold secrets.
inline constexpr job_variable recorded_environment_variables[] = {
    {"FLUX_JOB_ID", "Flux"}, {"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}};

/// The allow-list of environment variables that select a network or a protocol: of UCX, libfabric, and Intel MPI. Their
/// values are recorded.
inline constexpr char const* recorded_transport_variables[] = {"UCX_TLS", "UCX_NET_DEVICES", "FI_PROVIDER",
                                                               "I_MPI_FABRICS", "I_MPI_OFI_PROVIDER"};

/// Names and values of those of `recorded_transport_variables` that are set.
[[nodiscard]] std::vector<parameter> transport_of_process();

/// The job of this process, by its environment variables. If it is in a job of two resource managers, as in an instance
/// of Flux in a job of Slurm, the first of `recorded_environment_variables` counts.
[[nodiscard]] job_info job_of_process();

/// The present time in UTC, by ISO 8601: "2026-01-31T08:05:00Z".
[[nodiscard]] std::string utc_date();

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/kernel_files.hpp>

#include <cstdlib>
#include <ctime>

namespace sonde::inline v0_1::detail {

/// True in the tasks of a step of srun. Slurm numbers the steps of batch scripts and of the shells of salloc from
/// 2^32 - 16 on.
SONDE_INLINE bool is_slurm_task() {
    auto const* const step = std::getenv("SLURM_STEP_ID");
    auto const number = number_at(step == nullptr ? "" : step);
    return number && *number < 0xffff'fff0 && std::getenv("SLURM_PROCID") != nullptr;
}

/// The launcher that is nearest to this process: mpirun starts its processes by daemons that are tasks of srun.
SONDE_INLINE std::string launcher_name() {
    constexpr known_sign launchers[] = {{"JSM_NAMESPACE_RANK", "jsrun"},
                                        {"OMPI_COMM_WORLD_RANK", "mpirun (Open MPI)"},
                                        {"PALS_RANKID", "mpiexec (PALS)"},
                                        {"MPI_LOCALNRANKS", "mpiexec (Hydra)"},
                                        {"FLUX_TASK_RANK", "flux run"}};
    auto const is_set = [](char const* variable) { return std::getenv(variable) != nullptr; };
    for (auto const& launcher : launchers)
        if (is_set(launcher.sign)) return launcher.name;
    if (is_slurm_task()) return "srun";
    if (is_set("PMIX_RANK")) return "a launcher with PMIx";
    return is_set("PMI_RANK") ? "a launcher with PMI" : "";
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE job_info job_of_process() {
    job_info job;
    job.launcher = detail::launcher_name();
    for (auto const& variable : recorded_environment_variables)
        if (auto const* const id = std::getenv(variable.name); id != nullptr && job.id.empty()) {
            job.id = id;
            job.resource_manager = variable.resource_manager;
        }
    return job;
}

SONDE_INLINE std::vector<parameter> transport_of_process() {
    std::vector<parameter> found;
    for (auto const* const name : recorded_transport_variables)
        if (auto const* const value = std::getenv(name); value != nullptr) found.emplace_back(name, value);
    return found;
}

SONDE_INLINE std::string utc_date() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    char text[sizeof "2026-01-31T08:05:00Z"]{};
    if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

} // namespace sonde

#endif
