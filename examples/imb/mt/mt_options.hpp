// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/imb_options.hpp"
#include "suite/options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb::mt {

/// `-barrier`: synchronization of the instances: none, MPI_Barrier, or a dissemination of messages.
enum class barrier : unsigned char { off, mpi, dissemination };

/// `-malloc_algo`: allocation of buffers by one thread, a block for each thread (serial) or one block for all
/// (continuous), or by each thread (parallel).
enum class allocate : unsigned char { serial, continuous, parallel };

/// `-datatype`: MPI_INT or MPI_CHAR.
enum class datatype : unsigned char { integer, character };

/// Options of IMB-MT.
struct options : imb::options {
    options() { window = 64; }

    int stride = 0; // ranks between partners; 0: half of them
    std::size_t warm_ups = 100;
    std::size_t repeats = 1000;
    mt::barrier synchronization = mt::barrier::mpi;
    std::vector<std::size_t> counts; // elements of messages; not empty after `parse`
    std::size_t alignment = 64;
    mt::allocate allocated = mt::allocate::serial;
    mt::datatype type = mt::datatype::integer;
    bool header = true;

    std::size_t element_bytes() const { return type == datatype::integer ? sizeof(int) : sizeof(char); }
    /// Number of threads of this process: 1, or with -thread_level multiple the first number in OMP_NUM_THREADS;
    /// without it the number of hardware threads.
    int threads() const;
};

/// The options, bound to the members of `into`.
std::vector<option_row> option_table(options& into);
/// Parse a command line. Throws suite::refusal.
options parse(int argc, char const* const* argv);

} // namespace imb::mt
