// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/affinity.hpp>
#include <sonde/detail/threads.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace sonde::inline v0_1 {

/// Group of threads: the threads of all processes of a parent group are the members of one group, so that `sonde::run`
/// on each thread measures communication between threads. The parent must outlive the team.
///
///     sonde::thread_team team{world, threads_here};   // collective over the parent; the number may differ by process
///     team.run([&](auto& me) { found[me.thread()] = sonde::run(me, plan, pattern_of(me)); });
///
/// Members are numbered by process, then by thread. Only the last thread of a process to arrive calls the parent. So
/// with several threads an MPI parent needs MPI_THREAD_SERIALIZED, and patterns may need a higher level. The
/// constructor throws on all processes: std::invalid_argument if a process has no thread, and std::logic_error if a
/// process has several threads and its parent does not allow them.
template <Group G>
class [[nodiscard]] thread_team {

    struct thread_channel {
        detail::mailboxes* mail;
        int thread;
        void send(int to, std::span<std::byte const> b) const { mail->send(thread, to, b); }
        void receive(int from, std::span<std::byte> b) const { mail->receive(from, thread, b); }
    };

public:
    /// A thread as a member of the team: a Group. Only this thread may use it.
    class member {
    public:
        int rank() const { return team_->first_rank_ + thread_; }
        int size() const { return team_->size_; }
        /// True if a process has more threads than processors, or if the parent group is oversubscribed.
        bool oversubscribed() const { return team_->oversubscribed_; }
        /// Index of the thread in its process, from 0.
        int thread() const { return thread_; }
        /// The parent's watchdog on the first thread of each process, else null.
        watchdog_base* watchdog() const {
            return thread_ == 0 ? detail::group_hook::watchdog(*team_->parent_) : nullptr;
        }

        void barrier() const { all_reduce({}, reduction::sum); }
        void all_reduce(std::span<double> values, reduction how) const {
            auto const completion = [&](std::vector<std::vector<double>> const& of_threads) {
                auto reduced = of_threads.front();
                for (std::size_t i = 1; i != of_threads.size(); ++i) detail::reduce_into(reduced, of_threads[i], how);
                if (reduced.empty()) team_->parent_->barrier();
                else team_->parent_->all_reduce(reduced, how);
                return reduced;
            };
            auto const all = barrier_->arrive_and_wait(static_cast<std::size_t>(thread_),
                                                       {values.begin(), values.end()}, completion);
            for (std::size_t i = 0; i != all.size(); ++i) values[i] = all[i];
        }
        /// An empty message to a thread and one from another. Throws as `control_channel` does.
        void exchange(int to, int from) const {
            auto const messages = control_channel();
            messages.send(to, {});
            messages.receive(from, {});
        }
        /// Messages between two threads of this process. Throws std::logic_error, on all threads, if the team has
        /// several processes, because the parent's messages cannot be addressed to a thread.
        auto control_channel() const {
            if (size() != team_->threads_)
                throw std::logic_error{"sonde::thread_team: threads of several processes have no control channel"};
            return thread_channel{mail_, thread_};
        }

    private:
        friend class thread_team;
        member(thread_team& team, detail::combining_barrier& barrier, detail::mailboxes& mail, int thread)
            : team_{&team}, barrier_{&barrier}, mail_{&mail}, thread_{thread} {}

        thread_team* team_;
        detail::combining_barrier* barrier_;
        detail::mailboxes* mail_;
        int thread_;
    };

    /// Collective over the parent.
    thread_team(G& parent, int threads) : parent_{&parent}, threads_{threads} {
        process mine{threads};
        std::exception_ptr failure;
        detail::attempt(failure, [&] {
            auto const processors = detail::number_of(detail::allowed_processors()); // 0: not known
            mine.is_crowded = processors != 0 && threads > static_cast<int>(processors);
            mine.is_refused = threads > 1 && !detail::group_hook::allows_threads(parent);
            oversubscribed_ = detail::group_hook::oversubscribed(parent);
        });
        mine.failure = detail::failure_of(parent, failure);
        auto const all = sonde::all_gather(parent, mine);
        for (auto const& p : all) detail::throw_failure(p.failure, failure, detail::other_rank{});
        if (std::any_of(all.begin(), all.end(), [](process const& p) { return p.is_refused; }))
            throw std::logic_error{"sonde::thread_team: a process has several threads, and its parent group may not be "
                                   "called by them; MPI programs need MPI_Init_thread with MPI_THREAD_SERIALIZED at "
                                   "least"};
        for (auto const& p : all) {
            if (p.threads < 1)
                throw std::invalid_argument{"sonde::thread_team: every process needs at least one thread"};
            if (&p - all.data() < parent.rank()) first_rank_ += p.threads;
            size_ += p.threads;
            oversubscribed_ |= p.is_crowded;
        }
    }

    /// Call `f(member&)` on every thread, including the calling one, and wait for all. Collective over the parent.
    ///
    /// An exception of f on one thread is rethrown here. Threads of this process that wait in this group are woken and
    /// throw peer_failed. Threads that wait elsewhere, such as in a receive, and other processes continue to wait. If
    /// that may happen, call `mpi::abort_on_exception` in f.
    void run(auto f) {
        auto const n = static_cast<std::size_t>(threads_);
        detail::combining_barrier barrier{n};
        detail::mailboxes mail;
        auto const body = [&](std::size_t thread) {
            member me{*this, barrier, mail, static_cast<int>(thread)};
            f(me);
        };
        detail::run_on_threads(n, body, [&] {
            barrier.abort();
            mail.abort();
        });
    }

private:
    struct process {
        int threads;
        bool is_crowded = false; // more threads than processors
        bool is_refused = false; // several threads, but the parent allows only one
        double failure = 0;      // `failure_of` the process
    };

    G* parent_;
    int threads_;
    int first_rank_ = 0;
    int size_ = 0;
    bool oversubscribed_ = false;
};

} // namespace sonde
