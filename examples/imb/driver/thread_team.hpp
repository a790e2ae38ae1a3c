// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/hosts.hpp"
#include "suite/options.hpp"

#include <sonde/group.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
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

/// Send and receive buffer of a thread.
struct regions {
    sonde::region out;
    sonde::region in;
};

/// Zeroed buffers for the threads of a process, by `-malloc_algo` and `-malloc_align`.
class thread_memory {
public:
    thread_memory(options const& asked, int threads, lengths each)
        : alignment_{asked.alignment}, allocated_{asked.allocated}, each_{each},
          blocks_(2 * static_cast<std::size_t>(threads)) {
        if (allocated_ == allocate::parallel) return;
        auto const together = allocated_ == allocate::continuous ? blocks_.size() / 2 : 1;
        for (std::size_t i = 0; i != blocks_.size() / together; ++i)
            blocks_[i] = zeroed(together * (i % 2 == 0 ? each.send : each.receive));
    }

    /// Buffers of a thread. Called once, by the thread itself: with `-malloc_algo parallel` it allocates them.
    regions of(int thread) {
        auto const t = static_cast<std::size_t>(thread);
        if (allocated_ == allocate::continuous)
            return {{blocks_[0].get() + t * each_.send, each_.send},
                    {blocks_[1].get() + t * each_.receive, each_.receive}};
        auto &send = blocks_[2 * t], &receive = blocks_[2 * t + 1];
        if (allocated_ == allocate::parallel) {
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
    allocate allocated_;
    lengths each_;
    std::vector<block> blocks_; // send and receive buffer of each thread, or of all threads
};

/// The ranks of the world as the parent group of a team of threads, with the barrier of `-barrier`.
class barrier_ranks {
public:
    barrier_ranks(sonde::mpi::group const& world, barrier meet) : world_{&world}, meet_{meet} {}

    int rank() const { return world_->rank(); }
    int size() const { return world_->size(); }
    bool allows_threads() const { return world_->allows_threads(); }
    bool oversubscribed() const { return world_->oversubscribed(); }
    void barrier() const {
        if (meet_ == mt::barrier::dissemination) sonde::dissemination_barrier{}(*world_, 0);
        else world_->barrier();
    }
    void all_reduce(std::span<double> values, sonde::reduction how) const { world_->all_reduce(values, how); }

private:
    sonde::mpi::group const* world_;
    mt::barrier meet_;
};

/// All threads of all ranks, as a group.
using team = sonde::thread_team<barrier_ranks>;
using member = team::member;

/// A duplicate of MPI_COMM_WORLD for each thread. The info key `thread_id` tells the MPI library that only this thread
/// uses it. Collective over the world, before threads start.
inline std::vector<sonde::mpi::group> communicators(int threads) {
    std::vector<sonde::mpi::group> all;
    for (int t = 0; t != threads; ++t) {
        auto const& duplicate = all.emplace_back(MPI_COMM_WORLD);
        MPI_Info info = MPI_INFO_NULL;
        sonde::mpi::check(MPI_Info_create(&info), "MPI_Info_create");
        sonde::mpi::check(MPI_Info_set(info, "thread_id", std::to_string(t).c_str()), "MPI_Info_set");
        sonde::mpi::check(MPI_Comm_set_info(duplicate.comm(), info), "MPI_Comm_set_info");
        sonde::mpi::check(MPI_Info_free(&info), "MPI_Info_free");
    }
    return all;
}

/// Number of threads of each rank, equal on all ranks: that of rank 0. Collective over the world.
inline int threads_of(options const& asked, sonde::mpi::group& world) {
    double threads[] = {static_cast<double>(asked.threads())};
    sonde::broadcast(world, threads);
    return static_cast<int>(threads[0]);
}

/// Threads that measure a benchmark.
struct thread_run {
    sonde::mpi::group& world;
    mt::options const& options;
    int threads;                // of this rank
    lengths each;               // buffers of a thread
    char const* memory_options; // options that determine the need of memory
};

/// f(member, regions) on all threads of all ranks. Throws suite::refusal on all ranks if memory is not available.
/// Collective over the world.
template <class F>
void run_threads(thread_run const& on, F f) {
    std::optional<thread_memory> buffers;
    suite::allocate(on.world, on.memory_options, [&] { buffers.emplace(on.options, on.threads, on.each); });
    barrier_ranks parent{on.world, on.options.synchronization};
    team threads{parent, on.threads};
    threads.run([&](member& self) {
        sonde::mpi::abort_on_exception(on.world.comm(), [&] { f(self, buffers->of(self.thread())); });
    });
}

} // namespace imb::mt
