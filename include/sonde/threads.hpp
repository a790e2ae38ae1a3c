// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/crew.hpp>
#include <sonde/detail/meeting.hpp>
#include <sonde/group.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// Ranks times threads: several threads of every process of a parent group, all members of one group, so that one
/// `sonde::run` on each measures communication between threads.
///
///     sonde::team team{world, threads_here};       // collective over the parent; the number may differ by process
///     team.run([&](auto& me) { found[me.thread()] = sonde::run(me, plan, pattern_of(me)); });
///
/// Members are numbered by process, then by thread. Only one thread of a process at a time, the last to come, talks to
/// the parent, so with several threads an MPI parent needs MPI_THREAD_SERIALIZED, and what patterns need beside. Throws
/// on all processes: std::invalid_argument where one has no thread, std::logic_error where one has several and its
/// parent does not allow them. The parent must outlive the team.
template <Group G>
class [[nodiscard]] team {
    using meeting = detail::meeting<std::vector<double>>;

public:
    /// One thread's place in the team: a Group. Belongs to that thread.
    class member {
    public:
        int rank() const { return team_->before_ + thread_; }
        int size() const { return team_->size_; }
        /// 0 to the number of threads of this process - 1.
        int thread() const { return thread_; }

        void barrier() const {
            meet({}, reduction::sum, [](G& parent, std::vector<double>&) { parent.barrier(); });
        }
        void all_reduce(std::span<double> values, reduction how) const {
            auto const all = meet({values.begin(), values.end()}, how,
                                  [how](G& parent, std::vector<double>& here) { parent.all_reduce(here, how); });
            for (std::size_t i = 0; i != all.size(); ++i) values[i] = all[i];
        }

    private:
        friend class team;
        member(team& whole, meeting& place, int thread) : team_{&whole}, place_{&place}, thread_{thread} {}
        /// Combine what the threads of this process bring; `talk(parent, combined)` makes it the whole team's.
        template <class Talk>
        std::vector<double> meet(std::vector<double> mine, reduction how, Talk talk) const {
            auto const conclude = [&](std::vector<std::vector<double>> const& brought) {
                auto here = brought.front();
                for (std::size_t i = 1; i != brought.size(); ++i) detail::combine_into(here, brought[i], how);
                talk(*team_->parent_, here);
                return here;
            };
            return place_->attend(static_cast<std::size_t>(thread_), std::move(mine), conclude);
        }

        team* team_;
        meeting* place_;
        int thread_;
    };

    /// Collective over the parent.
    team(G& parent, int threads) : parent_{&parent}, threads_{threads} {
        std::vector<double> counts(static_cast<std::size_t>(parent.size()) + 1);
        counts[static_cast<std::size_t>(parent.rank())] = threads;
        counts.back() = threads > 1 && !allows_threads(parent) ? 1 : 0;
        parent.all_reduce(counts, reduction::sum);
        if (counts.back() != 0)
            throw std::logic_error{"sonde::team: a process has several threads, and its parent group may not be called "
                                   "by them; MPI programs need MPI_Init_thread with MPI_THREAD_SERIALIZED at least"};
        counts.pop_back();
        for (std::size_t process = 0; process != counts.size(); ++process) {
            if (counts[process] < 1)
                throw std::invalid_argument{"sonde::team: every process needs at least one thread"};
            auto const n = static_cast<int>(counts[process]);
            if (process < static_cast<std::size_t>(parent.rank())) before_ += n;
            size_ += n;
        }
    }

    /// Call `f(member&)` on every thread, the calling one included, and wait for all. Collective over the parent.
    ///
    /// What f throws on one thread ends the waiting of the others of its process in this group (peer_failed), and comes
    /// out here. Not ended is what waits elsewhere: in a receive, or in another process. Where that may be, put
    /// `mpi::guarded` into f.
    template <class F>
    void run(F f) {
        auto const n = static_cast<std::size_t>(threads_);
        meeting place{n};
        auto const body = [&](std::size_t thread) {
            member me{*this, place, static_cast<int>(thread)};
            f(me);
        };
        detail::on_threads(n, body, [&] { place.give_up(); });
    }

private:
    static bool allows_threads(G& parent) {
        if constexpr (requires { parent.allows_threads(); }) return parent.allows_threads();
        else return true;
    }

    G* parent_;
    int threads_;
    int before_ = 0;
    int size_ = 0;
};

} // namespace sonde
