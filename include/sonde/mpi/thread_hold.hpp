// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <exception>

// Threads of one process that measure: one at a time on a communicator, and only those that MPI allows.

namespace sonde::inline v0_1::mpi::detail {

/// Throws std::logic_error if MPI was initialized with a level of threads that does not allow a call by this thread:
/// below MPI_THREAD_SERIALIZED by another thread than the main one.
void require_thread_level();

/// Throws std::logic_error if this thread is in an exchange that is measured. Does nothing under SMPI.
void require_outermost();

/// Holds a communicator for this thread, so that the collective calls of two threads do not mix. Waits for another
/// thread that holds it. Throws as `require_thread_level` does, and if another thread holds a communicator although MPI
/// was not initialized with MPI_THREAD_MULTIPLE, and if this thread is in an exchange that is measured by this
/// communicator, which would repeat the call for each iteration. Does nothing under SMPI, whose ranks are threads.
///
/// An exception that ends a measurement after a rank has died revokes the communicator if it is `owned` by the group
/// (MPIX_Comm_revoke), so that no other rank waits for this rank in the exchange: all ranks throw.
class thread_hold {
public:
    explicit thread_hold(MPI_Comm comm, bool owned = false);
    thread_hold(thread_hold const&) = delete;
    ~thread_hold();
    /// The exchange that is measured begins.
    void begin_exchange();
    /// The exchange that is measured has ended.
    void end_exchange();

private:
    [[maybe_unused]] MPI_Comm comm_; // SMPI has one thread a rank
    [[maybe_unused]] bool owned_;
    [[maybe_unused]] int exceptions_ = std::uncaught_exceptions();
};

} // namespace sonde::mpi::detail

#if SONDE_DEFINITIONS
#include <pthread.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::inline v0_1::mpi::detail {

#ifdef SMPI_H
SONDE_INLINE void require_thread_level() {}
SONDE_INLINE void require_outermost() {}
SONDE_INLINE thread_hold::thread_hold(MPI_Comm comm, bool owned) : comm_{comm}, owned_{owned} {}
SONDE_INLINE thread_hold::~thread_hold() = default;
SONDE_INLINE void thread_hold::begin_exchange() {}
SONDE_INLINE void thread_hold::end_exchange() {}
#else
SONDE_INLINE int thread_level() {
    int level = MPI_THREAD_MULTIPLE; // of a session without MPI_Init, whose level cannot be queried
    if (not_running_reason(false) == nullptr) check(MPI_Query_thread(&level), "MPI_Query_thread");
    return level;
}

[[noreturn]] SONDE_INLINE void refuse_thread(char const* what, int level) {
    auto const* const name = level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
                             : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                                            : "MPI_THREAD_SERIALIZED";
    throw std::logic_error{std::string{"sonde::mpi: "} + what + ", and MPI was initialized with " + name};
}

/// The threads that hold communicators, for one thread at a time: an object locks them until it is destroyed. (<mutex>
/// and <condition_variable> take a tenth of the compile time of all of Sonde.)
class holding_threads {
public:
    struct one {
        MPI_Comm comm;
        pthread_t thread;
        int depth;
        bool is_measured; // an exchange by this communicator
    };

    holding_threads() { pthread_mutex_lock(&mutex); }
    holding_threads(holding_threads const&) = delete;
    ~holding_threads() { pthread_mutex_unlock(&mutex); }

    one* of(MPI_Comm comm) {
        for (auto& each : all)
            if (each.comm == comm) return &each;
        return nullptr;
    }
    /// True if the thread is in an exchange that is measured, by this communicator or, for null, by any.
    bool measures(pthread_t thread, MPI_Comm comm) const {
        for (auto const& each : all)
            if (each.is_measured && pthread_equal(each.thread, thread) != 0 &&
                (comm == MPI_COMM_NULL || each.comm == comm))
                return true;
        return false;
    }
    bool has_other_than(pthread_t thread) const {
        for (auto const& each : all)
            if (pthread_equal(each.thread, thread) == 0) return true;
        return false;
    }
    void hold(MPI_Comm comm) {
        auto const self = pthread_self();
        auto* found = of(comm);
        while (found != nullptr && pthread_equal(found->thread, self) == 0) {
            pthread_cond_wait(&changed, &mutex);
            found = of(comm);
        }
        if (found == nullptr) all.push_back({comm, self, 1, false});
        else ++found->depth;
    }
    void release(MPI_Comm comm) {
        auto* const found = of(comm);
        if (--found->depth != 0) return;
        *found = all.back();
        all.pop_back();
        pthread_cond_broadcast(&changed);
    }

private:
    static inline std::vector<one> all;
    static inline pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static inline pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
};

/// MPICH 4.0 calls each thread the main one if MPI has a single thread, so the first thread that comes here is kept.
SONDE_INLINE void require_thread_level() {
    static auto const first = pthread_self();
    auto const level = thread_level();
    if (level >= MPI_THREAD_SERIALIZED) return;
    int is_main = 1;
    check(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
    if (is_main == 0 || pthread_equal(first, pthread_self()) == 0)
        refuse_thread("a thread measures that is not the main thread", level);
}

[[noreturn]] SONDE_INLINE void refuse_nested() {
    throw std::logic_error{
        "sonde::mpi: a measurement is called within the exchange that is measured, which would repeat "
        "it in each iteration"};
}

SONDE_INLINE void require_outermost() {
    if (holding_threads{}.measures(pthread_self(), MPI_COMM_NULL)) refuse_nested();
}

SONDE_INLINE thread_hold::thread_hold(MPI_Comm comm, bool owned) : comm_{comm}, owned_{owned} {
    require_thread_level();
    auto const level = thread_level();
    holding_threads threads;
    if (threads.measures(pthread_self(), comm)) refuse_nested();
    if (level < MPI_THREAD_MULTIPLE && threads.has_other_than(pthread_self()))
        refuse_thread("two threads measure at the same time", level);
    threads.hold(comm);
}

SONDE_INLINE void thread_hold::begin_exchange() { holding_threads{}.of(comm_)->is_measured = true; }
SONDE_INLINE void thread_hold::end_exchange() { holding_threads{}.of(comm_)->is_measured = false; }
SONDE_INLINE thread_hold::~thread_hold() {
    holding_threads{}.release(comm_);
    auto const fails = owned_ && std::uncaught_exceptions() > exceptions_;
    if (fails && MPIX_Comm_revoke != nullptr && !failed_ranks().empty()) MPIX_Comm_revoke(comm_);
}
#endif

} // namespace sonde::mpi::detail

#endif
