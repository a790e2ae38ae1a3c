// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

namespace imb {

/// How the ranks of a group come together: two barriers before the first repetition and, where they do so each time,
/// one before each other. Groups that begin together meet before the first, too.
struct starting {
    bool each_time = false;
    bool disseminated = false;                     // `-imb_barrier`
    sonde::mpi::group const* all_groups = nullptr; // ranks of all groups; null: groups begin on their own

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
        if (disseminated) sonde::mpi::dissemination_barrier(group)(group, 0);
        else group.barrier();
    }
};

using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, starting>;

/// Where repetitions have their messages: one place for all; slots for so many of them, then from the first on
/// (`-off_cache`); or one for each (`benchmark::disjoint`).
struct slots {
    std::size_t count = 1;
    std::size_t stride = 0; // bytes from one to the next, at least the length that the benchmark needs

    std::size_t bytes() const { return count * stride; }
    sonde::rotating of(sonde::allocation<sonde::mpi::alloc_mem> const& memory, std::size_t n) const {
        return {memory.bytes().first(bytes()), n, stride};
    }
};

/// What a benchmark of one size is made of. It outlives the `work` that is made of it.
struct setting {
    sonde::mpi::group& group;
    options const& asked;
    benchmark const& test;
    imb::mode mode;
    std::size_t bytes; // the size
    std::size_t most;  // repetitions at most
    int world_rank;
    int group_number;          // 0 where there is one
    MPI_Datatype data;         // the element of -data_type, -contig_type
    MPI_Datatype reduced;      // the element of -red_data_type, -contig_type
    MPI_Op sum;                // for them
    std::size_t element_bytes; // of the type that this benchmark's sizes count in
    std::size_t spread = 1;    // bytes in memory for one of a message: 2 where elements have gaps
    sonde::allocation<sonde::mpi::alloc_mem>& send;
    sonde::allocation<sonde::mpi::alloc_mem>& receive;
    slots sends;
    slots receives;
    sonde::mpi::group const* all_groups = nullptr; // set by the driver for the run that is reported
    std::shared_ptr<void>* kept = nullptr;         // the benchmark's own, from size to size of one NP and mode: files;
                                                   // the driver drops it before the next group is made
    mutable std::map<std::size_t, sonde::mpi::owned_datatype> vectors{}; // by elements: of base_vec, resize_vec

    /// The loop as a whole is timed: a sample is n repetitions; what the pattern has in `complete()` comes once, after
    /// the last.
    plan whole(std::size_t n) const { return start(false).warmup(0).batch(n).until(sonde::samples{1}); }
    /// Each repetition is timed, with a barrier between two unless `-sync off`.
    plan each(std::size_t n) const { return start(asked.sync).warmup(0).batch(1).until(sonde::samples{n}); }

    /// Messages of n bytes, in regions of as many as these take in memory, slot by slot from the first on.
    sonde::rotating out(std::size_t n) const { return sends.of(send, n * spread); }
    sonde::rotating in(std::size_t n) const { return receives.of(receive, n * spread); }

    /// `n` bytes as a block of the data type, or of the reduction type.
    sonde::mpi::block block_of(std::size_t n) const;
    /// How links describe their messages of n bytes.
    sonde::mpi::elements elements_of(std::size_t n) const;
    /// The point of a record: name, bytes, processes, group, mode ("only" where there is one), and `part`: "pure", or
    /// of those with several "overlap", "work". All have all, as the columns of a table do.
    sonde::point point(char const* part = nullptr) const;

private:
    plan start(bool each_time) const { return plan{}.synchronized(starting{each_time, asked.own_barrier, all_groups}); }
};

} // namespace imb
