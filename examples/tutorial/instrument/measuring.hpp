// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <memory>

class rod;

// [interface]
/// The parts of a time step that are timed.
enum class phase { step, halo, inner, edges };

/// The measurements of one thread of a rank. This header includes nothing of Sonde, so that only measuring.cpp needs
/// Sonde and C++20.
class measuring {
public:
    measuring();
    ~measuring();
    void begin(phase p); // does not communicate; a phase may end in another function
    void end(phase p);
    void print(MPI_Comm comm) const;                // collective: the times of the phases on all ranks
    static void measure_sum(MPI_Comm comm, rod& r); // collective: the exchange of the shared heat

private:
    struct scopes;
    std::unique_ptr<scopes> scopes_;
};
// [/interface]
