// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/launcher.hpp>

#include <optional>
#include <string>

// Processes that a launcher starts and does not connect. Without MPI.

namespace suite {

/// Several processes that a launcher started, as one of them sees it.
struct launched_job {
    sonde::launched_process process;
    std::string pmi; // process management interface that the launcher offers: "PMIx"; empty without any

    /// True on the one process that speaks for all: rank 0, or rank 1 if only a rank above 0 tells that there are
    /// several processes.
    bool speaks() const { return process.rank == (process.size ? 0 : 1); }
};

/// The launcher that started this process and others, by its variables. None for a process that was started alone.
std::optional<launched_job> launched_job_in(sonde::environment_variable const& variable);

/// Complaint about a launcher that does not connect the processes of a program, which is built with `library`.
std::string complaint_about(launched_job const& job, std::string const& library);

/// Line before MPI_Init, in which Open MPI 4 ends the processes of srun, with a page of its own, unless it finds PMIx
/// or was built for the PMI of Slurm. Empty for other jobs and libraries.
std::string warning_before_start(launched_job const& job, std::string const& library);

} // namespace suite
