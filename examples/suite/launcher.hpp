// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <optional>
#include <string>

// The launcher of a process, from its environment. Without MPI.

namespace suite {

/// Launcher that started several processes.
struct seen_launcher {
    std::string name;        // "srun (Slurm)"
    std::optional<int> size; // number of processes, if the environment has it
    int rank = 0;            // of this process
    std::string pmi;         // process management interface that the launcher offers: "PMIx"; empty without any
    std::string remedy;      // what to start the program with

    /// True on the one process that speaks for all: rank 0, or rank 1 if only a rank above 0 tells that there are
    /// several processes.
    bool speaks() const { return rank == (size ? 0 : 1); }
};

/// Value of an environment variable; none if it is not set.
using environment_variable = std::function<std::optional<std::string>(char const* name)>;

/// The launcher that started this process and others, by its variables. None for a process that was started alone,
/// also in an allocation of a resource manager: only the tasks of a step of srun count, not the shells of salloc and
/// sbatch, nor processes that mpirun started alone.
std::optional<seen_launcher> launcher_in(environment_variable const& variable);

/// Complaint about a launcher that does not connect the processes of a program, which is built with `library`.
std::string complaint_about(seen_launcher const& launcher, std::string const& library);

} // namespace suite
