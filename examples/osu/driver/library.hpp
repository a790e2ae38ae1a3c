// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "suite/agreement.hpp"

#include <sonde/mpi/group.hpp>

#include <span>
#include <string>
#include <vector>

namespace osu {

/// A communication library that moves the data of programs, as their driver sees it. Each library is a constant in the
/// folder of its programs. MPI starts the ranks of all programs.
struct library {
    char const* title;                   // in titles of programs: "MPI"
    std::span<start const> starts;       // accepted by --sync
    option_set lacks{};                  // options that none of its programs takes
    bool shows_datatype = false;         // in a line above each table
    bool empty_messages = false;         // size 0 is a row for all datatypes
    bool takes_host = true;              // pageable memory of the host
    bool takes_gpus_only = false;        // of devices: no memory of OpenACC
    bool passes_addresses_to_mpi = true; // so that MPI must take those of a device
    bool refuses_shared_devices = false; // by itself
    bool ranks_print_title = false;      // each of them, above all lines of rank 0
    char const* accepted_without_device = "H H";
    /// Sets the options that follow from the words beside options. Throws refusal.
    void (*read_words)(options& into, program const& about, std::vector<std::string> const& words);
};

/// The words of programs that have options only.
inline void refuse_words(options&, program const&, std::vector<std::string> const& words) {
    if (!words.empty()) throw refusal{"Invalid word [" + words.front() + "]; accepted: options, see -h"};
}

/// Throws refusal, on all ranks, if the ranks of a library, which it calls `word`, are not those of MPI. `network`: how
/// the library is asked for one that a launcher of MPI starts. Collective over the group.
inline void require_ranks_of_mpi(sonde::mpi::group const& world, library const& of, std::string const& word, int rank,
                                 int size, std::string const& network) {
    std::string const title{of.title};
    agree(world, rank == world.rank() && size == world.size()
                     ? ""
                     : word + ' ' + std::to_string(rank) + " of " + std::to_string(size) + " of " + title +
                           " is rank " + std::to_string(world.rank()) + " of " + std::to_string(world.size()) +
                           " of MPI; accepted: " + title +
                           " for a network whose processes a launcher of MPI starts, such as " + network);
}

/// Starts of ranks of MPI, and of libraries that have barriers only.
inline constexpr start mpi_starts[] = {start::none, start::barrier, start::dissemination, start::window};
inline constexpr start barrier_starts[] = {start::none, start::barrier};

} // namespace osu
