// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/component.hpp"
#include "imb/driver/groups.hpp"
#include "imb/driver/imb_plan.hpp"
#include "imb/driver/setting.hpp"
#include "suite/bit_check.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace imb {

/// State that the benchmarks of a run share.
struct driver : program_run {
    element_type const& data;
    element_type const& reduced;
    suite::memory memory;
    std::optional<suite::bit_check> bits{}; // `-check_bits`
    bool defects = false;                   // contents were wrong in some benchmark; on world rank 0
};

/// Inputs of a sweep over sizes: a benchmark with one number of processes in one mode.
struct sweep_inputs {
    imb::driver& driver;
    benchmark const& test;
    imb::mode mode;
    process_groups& groups;
};

/// One size of a sweep, on a rank of a group: its memory, the benchmark, and the runs. Throws sonde::mpi::error or
/// refusal if memory is not available.
class one_size {
public:
    /// `state`: see `setting::state`.
    one_size(sweep_inputs const& in, std::size_t bytes, memory_plan const& memory,
             std::shared_ptr<benchmark_state>& state);
    one_size(one_size&&) = delete; // the setting refers to the memory

    /// Make the benchmark and derive its number of repetitions from unreported runs. Collective over the group.
    std::size_t estimate(repetition_counts const& counts);
    /// Minimum of n over all groups if they start together, else n. Collective over all groups.
    std::size_t agreed(std::size_t n) const;
    /// Warm up for n repetitions. Collective over the group.
    void warm_up(std::size_t n);
    /// The reported run of n repetitions, then the check of contents. Collective over all groups.
    result report(std::size_t n);
    /// Duration of the latest run on this rank.
    sonde::seconds duration() const { return duration_; }

private:
    result measure(std::size_t n);
    sonde::seconds per_repetition(result const& r, std::size_t n) const;
    std::size_t count_by_time(repetition_counts const& counts);

    sweep_inputs in_;
    std::size_t bytes_;
    message_memory send_;
    message_memory receive_;
    setting setting_;
    work work_;
    sonde::seconds duration_{};
};

/// Measure the sizes one after the other, and print and report each. Returns false if a size could not be measured,
/// which ends the benchmark for all numbers of processes. Collective over the world.
bool run_sizes(sweep_inputs const& in);

} // namespace imb
