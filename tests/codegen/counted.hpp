// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Counters of this thread since its start.
struct counters {
    long allocations = 0; // malloc and its variants, and so every new, except those of the MPI library
    long mpi_calls = 0;   // all functions that Sonde's headers call
    bool operator==(counters const&) const = default;
};

inline thread_local constinit counters so_far{};
