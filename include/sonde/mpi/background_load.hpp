// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group/agreement.hpp>
#include <sonde/mpi/congestors.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <thread>

namespace sonde::inline v0_1::mpi {

/// Load on the ranks that measure: each has a thread that sends messages to the other ranks, on a communicator of its
/// own. For `beside` and `compare_beside`; MPI must have been initialized with MPI_THREAD_MULTIPLE.
///
///     mpi::background_load load{world, mpi::congestion::alltoall};
///     auto found = compare_beside(world, plan, load, exchange, "halo");
///
/// The thread waits in MPI, so each rank needs a second core: without one the thread takes the rank's, and the
/// slowdown, of a thousand and more, is that of the processor. `flags.oversubscribed` does not count these threads.
class background_load {
public:
    /// Messages of `bytes`. Collective over the group. Throws mpi::error, and std::logic_error, on all ranks, without
    /// MPI_THREAD_MULTIPLE on one of them; std::invalid_argument for less than two ranks or a size that is not from 1
    /// to 2^31 - 1.
    explicit background_load(group_ref all, congestion kind, std::size_t bytes = 65536);
    background_load(background_load const&) = delete;
    /// Waits for the thread, which ends if rank 0 has called `stop` or destroys its object.
    ~background_load();

    /// Returns when messages of this rank have arrived. Does nothing while they flow.
    void start();
    /// Returns when all messages of this rank have arrived. Throws what a call of the thread has thrown. Does
    /// nothing before `start`.
    void stop();
    /// Bytes that this rank has sent up to the last `stop`.
    double bytes() const { return bytes_; }

private:
    void run();
    void run_rounds();

    detail::owned_communicator comm_{MPI_COMM_NULL, detail::free_communicator};
    bool leads_;
    std::optional<detail::congestor_rounds> rounds_;
    double bytes_ = 0;
    std::atomic<bool> flows_{false}; // or the thread has failed
    std::atomic<bool> is_halted_{false};
    std::exception_ptr failure_;
    std::optional<std::thread> thread_;
};

} // namespace sonde::mpi

#if SONDE_DEFINITIONS
#include <stdexcept>

namespace sonde::inline v0_1::mpi {

SONDE_INLINE background_load::background_load(group_ref all, congestion kind, std::size_t bytes)
    : leads_{all.get().rank() == 0} {
    auto const& ranks = all.get();
    detail::require_on_all(ranks, detail::complaint_about_congestors(ranks.size() + 1, 1, bytes));
    sonde::collectively(ranks, [] {
        int level = MPI_THREAD_SINGLE;
        check(MPI_Query_thread(&level), "MPI_Query_thread");
        if (level < MPI_THREAD_MULTIPLE)
            throw std::logic_error{"sonde::mpi::background_load: MPI was initialized without MPI_THREAD_MULTIPLE"};
    });
    check(MPI_Comm_dup(all.comm(), comm_.address()), "MPI_Comm_dup");
    sonde::collectively(ranks, [&] { rounds_.emplace(comm_.get(), kind, bytes); });
}

SONDE_INLINE background_load::~background_load() {
    is_halted_ = true;
    if (thread_) thread_->join();
}

SONDE_INLINE void background_load::start() {
    if (thread_) return;
    flows_ = false;
    is_halted_ = false;
    failure_ = nullptr;
    thread_.emplace([this] { run(); });
    flows_.wait(false);
}

SONDE_INLINE void background_load::stop() {
    if (!thread_) return;
    is_halted_ = true;
    thread_->join();
    thread_.reset();
    if (failure_) std::rethrow_exception(failure_);
}

SONDE_INLINE void background_load::run() {
    try {
        run_rounds();
    } catch (...) {
        failure_ = std::current_exception();
    }
    flows_ = true;
    flows_.notify_one();
}

/// Two rounds are under way at a time. Rank 0 decides, when it posts a round, whether it is the last one but one.
SONDE_INLINE void background_load::run_rounds() {
    int is_last[2] = {0, 0};
    requests<active_request_policy::leak> told[2];
    auto const post = [&](std::size_t i) {
        if (leads_) is_last[i] = is_halted_ ? 1 : 0;
        check(MPI_Ibcast(&is_last[i], 1, MPI_INT, 0, comm_.get(), told[i].add()), "MPI_Ibcast");
        rounds_->post(i);
    };
    auto const wait = [&](std::size_t i) {
        rounds_->wait(i);
        told[i].wait();
        bytes_ += rounds_->bytes();
    };
    post(0);
    for (std::size_t i = 0;; i = 1 - i) {
        post(1 - i);
        wait(i);
        flows_ = true;
        flows_.notify_one();
        if (is_last[i] == 0) continue;
        return wait(1 - i);
    }
}

} // namespace sonde::mpi

#endif
