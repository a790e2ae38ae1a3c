// SPDX-License-Identifier: BSL-1.0
#pragma once

/// What this thread has done since it began.
struct counters {
    long allocations = 0; // malloc and its kin, and so every new, but for those of the MPI library
    long mpi_calls = 0;   // of every function that Sonde's headers name
    bool operator==(counters const&) const = default;
};

inline thread_local constinit counters so_far{};
