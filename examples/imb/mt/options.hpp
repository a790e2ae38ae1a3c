// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb::mt {

/// `-barrier`: how instances come together.
enum class barrier : unsigned char { off, of_library, disseminated };

/// `-malloc_algo`: by one thread, a block for each or one for all; or each thread its own.
enum class allocate : unsigned char { serial, continuous, parallel };

/// `-datatype`.
enum class datatype : unsigned char { integer, character };

/// What the command line asks for.
struct options : imb::options {
    options() { window = 64; }

    int stride = 0; // between partners; 0: half of the ranks
    std::size_t warm_ups = 100;
    std::size_t repeats = 1000;
    mt::barrier meet = mt::barrier::of_library;
    std::vector<std::size_t> counts; // of elements; `parse` leaves some
    std::size_t alignment = 64;
    mt::allocate allocated = mt::allocate::serial;
    mt::datatype type = mt::datatype::integer;
    bool header = true;

    std::size_t element_bytes() const { return type == datatype::integer ? sizeof(int) : sizeof(char); }
    /// Threads of this process: one without -thread_level multiple, else as OpenMP would have it, OMP_NUM_THREADS or as
    /// many as the processor runs at once.
    int threads() const;
};

/// Throws common::refusal.
options parse(int argc, char const* const* argv);
/// What -help prints.
std::string usage(options const& asked);

} // namespace imb::mt
