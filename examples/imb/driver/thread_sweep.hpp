// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"
#include "imb/driver/setting.hpp"
#include "imb/driver/thread_team.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <barrier>
#include <cstddef>
#include <string>
#include <vector>

// IMB-MT and IMB-HALO: all threads of all ranks measure each size.

namespace imb {

/// The thread of a setting.
struct thread_place {
    member& self;                    // in the group of all threads of all ranks
    std::barrier<>& process_threads; // barrier of this process's threads
    int threads;                     // of each rank
};

/// Synchronization: one barrier before the first sample, or `each` barriers before every sample; with `-barrier off`
/// none.
struct thread_start {
    bool enabled = true;
    std::size_t each = 0;

    void operator()(member& self, std::size_t i) const {
        auto const barriers = each != 0 ? each : i == 0 ? std::size_t{1} : std::size_t{0};
        for (std::size_t k = 0; enabled && k != barriers; ++k) self.barrier();
    }
};
using thread_plan = sonde::plan<sonde::mpi::wtime, sonde::samples, thread_start>;

/// Measure a pattern of any type on a thread: `sonde::run`, compiled once. Collective over all threads.
sonde::record run(member& self, thread_plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at);

/// Bytes from one message to the next if each has a buffer of its own.
inline std::size_t stride_of(std::size_t bytes) { return bytes / 64 * 64 + 64; }

/// What a program whose threads measure has of its own: the buffers of a thread, and text.
struct thread_program {
    char const* memory_options; // options that determine the need of memory
    /// Buffers of each thread of a rank, for the longest size.
    lengths (*buffers)(benchmark const& test, options const& asked, sonde::mpi::group const& world, int threads);
    std::string (*banner)(options const& asked);
    std::string (*head)(setting const& first, sonde::record const& r); // above the line of the first size
    std::string (*line)(setting const& s, sonde::record const& r);
    std::string end; // below the last table
};

/// Throws suite::refusal on all ranks if a host lacks the memory for the longest size. Collective over the world.
void require_memory(thread_program const& program, options const& asked, std::vector<benchmark const*> const& tests,
                    sonde::mpi::group& world);

/// Runs the benchmarks on all threads of all ranks: see `component::run`. The `defects` of a benchmark counts the wrong
/// elements on a thread. A record without initiators, and its head, are the last of a table.
bool run_threads(thread_program const& program, program_run const& on);

/// Lines of the ranks with wrong elements; "" if there are none.
std::string check_failures(std::vector<double> const& wrong_elements);

} // namespace imb
