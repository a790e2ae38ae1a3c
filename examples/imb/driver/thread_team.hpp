// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"

#include <sonde/group.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace imb {

/// Send and receive buffer of a thread.
struct thread_regions {
    sonde::region out;
    sonde::region in;
};

/// Zeroed buffers for the threads of a process, by `-malloc_algo` and `-malloc_align`.
class thread_memory {
public:
    thread_memory(options const& asked, int threads, lengths each)
        : alignment_{asked.alignment}, allocated_{asked.allocation}, each_{each},
          blocks_(2 * static_cast<std::size_t>(threads)) {
        if (allocated_ == thread_allocation::parallel) return;
        auto const together = allocated_ == thread_allocation::continuous ? blocks_.size() / 2 : 1;
        for (std::size_t i = 0; i != blocks_.size() / together; ++i)
            blocks_[i] = zeroed(together * (i % 2 == 0 ? each.send : each.receive));
    }

    /// Buffers of a thread. Called once, by the thread itself: with `-malloc_algo parallel` it allocates them.
    thread_regions of(int thread) {
        auto const t = static_cast<std::size_t>(thread);
        if (allocated_ == thread_allocation::continuous)
            return {{blocks_[0].get() + t * each_.send, each_.send},
                    {blocks_[1].get() + t * each_.receive, each_.receive}};
        auto &send = blocks_[2 * t], &receive = blocks_[2 * t + 1];
        if (allocated_ == thread_allocation::parallel) {
            send = zeroed(each_.send);
            receive = zeroed(each_.receive);
        }
        return {{send.get(), each_.send}, {receive.get(), each_.receive}};
    }

private:
    struct release {
        std::align_val_t alignment;
        void operator()(std::byte* p) const { ::operator delete(p, alignment); }
    };
    using block = std::unique_ptr<std::byte, release>;

    block zeroed(std::size_t bytes) const {
        std::align_val_t const alignment{alignment_};
        block b{static_cast<std::byte*>(::operator new(bytes, alignment)), release{alignment}};
        std::memset(b.get(), 0, bytes);
        return b;
    }

    std::size_t alignment_;
    thread_allocation allocated_;
    lengths each_;
    std::vector<block> blocks_; // send and receive buffer of each thread, or of all threads
};

/// The ranks of the world as the parent group of a team of threads, with the barrier of `-barrier`.
class barrier_ranks {
public:
    barrier_ranks(sonde::mpi::group const& world, thread_barrier meet) : world_{&world}, meet_{meet} {}

    int rank() const { return world_->rank(); }
    int size() const { return world_->size(); }
    bool allows_threads() const { return world_->allows_threads(); }
    bool oversubscribed() const { return world_->oversubscribed(); }
    void barrier() const {
        if (meet_ == thread_barrier::dissemination) sonde::dissemination_barrier{}(*world_, 0);
        else world_->barrier();
    }
    void all_reduce(std::span<double> values, sonde::reduction how) const { world_->all_reduce(values, how); }

private:
    sonde::mpi::group const* world_;
    thread_barrier meet_;
};

/// All threads of all ranks, as a group.
using team = sonde::thread_team<barrier_ranks>;
using member = team::member;

/// A duplicate of MPI_COMM_WORLD for each thread. The info key `thread_id` tells the MPI library that only this thread
/// uses it. Collective over the world, before threads start.
std::vector<sonde::mpi::group> communicators(int threads);

/// Number of threads of this process: 1, or with -thread_level multiple the first number in OMP_NUM_THREADS; without it
/// the number of hardware threads.
int threads_of(options const& asked);

/// Number of threads of each rank, equal on all ranks: that of rank 0. Collective over the world.
int threads_of(options const& asked, sonde::mpi::group& world);

} // namespace imb
