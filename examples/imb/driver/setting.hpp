// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/bit_check.hpp"
#include "suite/memory.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>

namespace imb {

/// Datatype of an element with the layout of `-contig_type`, and the sum of such elements. MPI must be initialized
/// during its lifetime.
class element_type {
public:
    /// `summed`: char is MPI_SIGNED_CHAR, because MPI does not add MPI_CHAR.
    element_type(element e, layout contiguous, bool summed);
    element_type(element_type&&) = delete;
    ~element_type();

    MPI_Datatype get() const { return type_; }
    MPI_Op sum() const { return sum_; }

private:
    MPI_Datatype type_;
    sonde::mpi::owned_datatype resized_;
    MPI_Op sum_ = MPI_SUM;
};

/// Synchronization of a group: two barriers before the first repetition and, with `each_time`, one before each other
/// repetition. Groups that start together have a barrier of all groups before the first repetition.
struct start_barriers {
    bool each_time = false;
    bool disseminated = false;                     // `-imb_barrier`
    sonde::mpi::group const* all_groups = nullptr; // ranks of all groups; null: each group starts on its own

    void operator()(sonde::mpi::group const& group, std::size_t i) const {
        if (i == 0) {
            if (all_groups != nullptr) all_groups->barrier();
            barrier(group);
            barrier(group);
        } else if (each_time) {
            barrier(group);
        }
    }

private:
    void barrier(sonde::mpi::group const& group) const {
        if (disseminated) sonde::dissemination_barrier{}(group, 0);
        else group.barrier();
    }
};

using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, start_barriers>;

/// Measure a pattern of any type: `sonde::run`, compiled once. Collective over the group.
sonde::record run(sonde::mpi::group& group, plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern,
                  sonde::point at);

/// Memory of the messages: from MPI_Alloc_mem, or of the kind of `-mem_alloc_type`.
suite::memory memory_of(options const& asked);
using message_memory = sonde::allocation<suite::memory>;

/// Layout of the message buffers in one direction: one buffer for all repetitions, or `count` buffers that the
/// repetitions use in rotation (`-off_cache`, `benchmark::disjoint`), or that hold messages at the same time.
struct buffer_layout {
    std::size_t count = 1;
    std::size_t stride = 0; // bytes from one buffer to the next, at least the length that the benchmark needs

    std::size_t bytes() const { return count * stride; }
};

/// Message buffers in one direction.
struct message_buffers {
    sonde::opaque_region bytes; // all memory, at least that of the layout
    suite::memory memory;       // its kind
    buffer_layout layout;

    void fill(std::byte value) const { memory.fill(bytes, value); }
    /// Buffers of messages of n bytes, in rotation.
    sonde::opaque_rotating of(std::size_t n) const { return {bytes.first(layout.bytes()), n, layout.stride}; }
    /// The first buffer of a message of n bytes, for all repetitions.
    sonde::opaque_rotating first(std::size_t n) const { return {bytes.first(layout.stride), n, layout.stride}; }
    /// The memory, which the host can access.
    sonde::region on_host() const { return {bytes.data(), bytes.size()}; }
};

/// Base class of the state that a benchmark keeps from size to size: the test file of IMB-IO.
struct benchmark_state {
    virtual ~benchmark_state() = default;
};

struct thread_place;

/// Everything that a benchmark of one size needs, on a rank or on a thread of a rank. It outlives the `work` that
/// refers to it.
struct setting {
    sonde::mpi::group& group;
    imb::options const& options;
    benchmark const& test;
    std::size_t bytes; // the size
    message_buffers send;
    message_buffers receive;
    MPI_Datatype data = datatype_of(options.data);           // element of -data_type, -contig_type
    MPI_Datatype reduced = summed_datatype_of(options.data); // element of -red_data_type, -contig_type
    MPI_Op sum = MPI_SUM;                                    // of `reduced` elements
    std::size_t element_bytes = bytes_of(options.data);      // of the type that this benchmark's sizes count in
    int world_rank = 0;
    imb::mode mode = mode::only;
    std::size_t max_repetitions = 1;                   // of one run
    int group_number = 0;                              // 0 for a single group
    std::size_t extent_factor = 1;                     // memory per byte of a message: 2 with gaps between elements
    sonde::mpi::group const* all_groups = nullptr;     // set by the driver during the reported run
    std::shared_ptr<benchmark_state>* state = nullptr; // kept over the sizes of one number of processes
                                                       // and mode (test files); reset before the next group is created
    suite::bit_check* bits = nullptr;                  // `-check_bits`; null without it
    std::vector<int> const* members = nullptr;         // world ranks of the group, where there are bits to check
    thread_place const* thread = nullptr;              // of IMB-MT and IMB-HALO, whose threads measure
    mutable std::map<std::size_t, sonde::mpi::owned_datatype> vectors{}; // by elements: of base_vec, resize_vec

    /// Plan that times the loop as a whole: one sample of n repetitions. A pattern's `complete()` runs once, after the
    /// last repetition.
    plan timed_loop(std::size_t n) const { return start(false).warmup(0).batch(n).until(sonde::samples{1}); }
    /// Plan that times each of n repetitions, with a barrier between two of them unless `-sync off`.
    plan timed_calls(std::size_t n) const { return start(options.sync).warmup(0).batch(1).until(sonde::samples{n}); }

    /// Memory of one message, in bytes.
    std::size_t extent() const { return bytes * extent_factor; }
    /// Buffers of messages of n bytes, in rotation.
    sonde::opaque_rotating out(std::size_t n) const { return send.of(n * extent_factor); }
    sonde::opaque_rotating in(std::size_t n) const { return receive.of(n * extent_factor); }

    /// `n` bytes as elements of the data type or of the reduction type.
    sonde::mpi::block block_of(std::size_t n) const;
    /// Datatype and count of messages of n bytes, as links take them.
    sonde::mpi::elements elements_of(std::size_t n) const;
    /// Point of a record: name, bytes, processes, group, mode ("only" if there is one), and part: "pure" (default),
    /// "overlap" or "work". Every record has all of them; with a kind of memory other than "cpu" also "memory", the
    /// kind.
    sonde::point point(char const* part = nullptr) const;

private:
    plan start(bool each_time) const {
        return plan{}
            .synchronized(start_barriers{each_time, options.own_barrier, all_groups})
            .keep(suite::kept_for(options.reports));
    }
};

} // namespace imb
