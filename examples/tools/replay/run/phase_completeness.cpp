// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/phase_completeness.hpp"

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/window_epochs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

/// Messages, collectives and groups of epochs of all ranks.
class traffic_balance {
public:
    void add(thread_trace const& thread, persistent_requests const& persistent, step const& s, double times) {
        if (s.is_loop()) {
            for (auto const& part : s.body) add(thread, persistent, part, times * static_cast<double>(s.passes));
            return;
        }
        if (!is_replayed(s) || makes_persistent_message(s)) return;
        for (auto const number : s.requests)
            if (auto const* made = persistent.maker(s, number); made != nullptr && starts_persistent(s))
                start(thread, *made, times);
        if (s.what.window >= 0) synchronize(thread, s, times);
        if (s.what.comm >= 0) start(thread, s, times);
    }

    std::string fault() const {
        for (auto const& [place, n] : inbox_)
            if (n != 0)
                return "rank " + std::to_string(place.second) + " receives " + (n > 0 ? "fewer" : "more") +
                       " messages than are sent to it on the communicator of ranks " + place.first;
        for (auto const& [message, n] : received_) {
            auto const found = sent_.find(message);
            auto const& [text, to, from, tag] = message;
            if (found == sent_.end() || found->second < n)
                return "rank " + std::to_string(to) + " receives messages of tag " + std::to_string(tag) +
                       " from rank " + std::to_string(from) + " that are not sent";
        }
        for (auto const& [key, counts] : collectives_)
            for (auto const rank : members_.at(key.first))
                if (auto const own = counts.find(rank); own == counts.end() || own->second != counts.begin()->second)
                    return "ranks " + std::to_string(counts.begin()->first) + " and " + std::to_string(rank) +
                           " call MPI_" + key.second + " differently often on the " + key.first;
        for (auto const& [pair, n] : epochs_)
            if (n != 0)
                return "rank " + std::to_string(pair.first) + " starts epochs " + (n > 0 ? "more" : "less") +
                       " often than rank " + std::to_string(pair.second) + " posts them to it";
        return {};
    }

private:
    /// A message or a collective, or one that a persistent request starts.
    void start(thread_trace const& thread, step const& s, double times) {
        if (s.what.comm < 0) return;
        auto const& in = thread.communicators[static_cast<std::size_t>(s.what.comm)];
        if (in.world.empty()) return; // an intercommunicator
        auto const world = [&](distance d) { return in.world[static_cast<std::size_t>(in.partner(d))]; };
        if (is_collective(s)) collect(in, "communicator", blocking_name(s.call), thread.rank, times);
        if (makes_persistent_collective(s)) collect(in, "communicator", s.call, thread.rank, times);
        if (sends(s) && s.what.to >= 0) {
            sent_[{in.text, world(s.what.to), thread.rank, s.what.tag}] += times;
            inbox_[{in.text, world(s.what.to)}] += times;
        }
        if (receives(s) && s.what.from != null_partner) {
            inbox_[{in.text, thread.rank}] -= times;
            if (s.what.from >= 0 && s.what.recv_tag >= 0)
                received_[{in.text, thread.rank, world(s.what.from), s.what.recv_tag}] += times;
        }
    }

    void synchronize(thread_trace const& thread, step const& s, double times) {
        auto const& in = thread.windows[static_cast<std::size_t>(s.what.window)].ranks;
        if (s.call == "Win_fence") collect(in, "window", s.call, thread.rank, times);
        if (s.call != "Win_start" && s.call != "Win_post") return;
        for (auto const d : s.counts) {
            auto const other = in.world[static_cast<std::size_t>(in.partner(static_cast<distance>(d)))];
            if (s.call == "Win_start") epochs_[{thread.rank, other}] += times;
            else epochs_[{other, thread.rank}] -= times;
        }
    }

    void collect(communicator const& in, char const* kind, std::string const& call, int rank, double times) {
        auto const place = std::string{kind} + " of ranks " + in.text;
        collectives_[{place, call}][rank] += times;
        members_.try_emplace(place, in.world);
    }

    using message_key = std::tuple<std::string, int, int, int>; // communicator, to, from, tag
    std::map<message_key, double> sent_, received_;
    std::map<std::pair<std::string, int>, double> inbox_; // messages to a rank that are not received
    std::map<std::pair<std::string, std::string>, std::map<int, double>> collectives_;
    std::map<std::string, std::vector<int>> members_;
    std::map<std::pair<int, int>, double> epochs_; // of a rank at another one: started, not posted
};

/// The requests of a rank, call by call.
class open_requests {
public:
    explicit open_requests(persistent_requests const& persistent) : persistent_{persistent} {}

    void add(step const& s) {
        for (std::uint64_t pass = 0; changes_requests(s) && pass != s.passes && is_valid_; ++pass)
            for (auto const& part : s.body) add(part);
        if (s.is_loop()) return;
        is_valid_ = is_valid_ && ++calls_ <= most;
        if (!is_replayed(s)) return;
        if (starts_request(s)) {
            is_open_.push_back(true);
            ++open_;
        }
        if (takes_message(s)) ++taken_;
        if (receives_taken(s)) has_untaken_ = --taken_ < 0 || has_untaken_;
        for (auto const number : s.requests) {
            if (starts_persistent(s) && persistent_.maker(s, number) != nullptr) start(number);
            if (completes_named(s) && (number > 0 || s.call != "Request_free")) complete(number);
        }
        if (completes_any(s)) {
            open_ -= std::min(s.what.count, most);
            auto const n = static_cast<std::int64_t>(is_open_.size());
            for (auto const age : s.requests) is_valid_ = is_valid_ && age <= n; // otherwise started before
            completes_any_ = true;
        }
        is_valid_ = is_valid_ && (open_ >= 0 || is_ambiguous());
    }
    /// True if requests that are started are not completed.
    bool leaves_some() const { return open_ > 0; }

    /// Why the calls cannot be those of a phase; empty if they can. `is_whole`: of the whole program.
    std::string fault(bool is_whole) const {
        if (!is_valid_ || (open_ < 0 && !is_ambiguous())) return "completes requests that it did not start";
        if (leaves_some() && !is_whole) return "does not complete all requests";
        if (taken_ != 0 || has_untaken_) return "takes messages by MPI_Mprobe that it does not receive, or the reverse";
        return {};
    }

private:
    static constexpr std::int64_t most = 1'000'000'000; // calls of passes with requests

    /// True for a loop in which requests are started or completed, or messages taken.
    static bool changes_requests(step const& s) {
        return std::any_of(s.body.begin(), s.body.end(), [](step const& part) {
            return changes_requests(part) || starts_request(part) || completes_any(part) || !part.requests.empty() ||
                   takes_message(part) || receives_taken(part);
        });
    }

    /// MPI_Waitany does not tell which persistent requests it completed, and a later call that names an inactive one
    /// seems to complete it again.
    bool is_ambiguous() const { return completes_any_ && has_persistent_; }

    void start(std::int64_t number) {
        has_persistent_ = true;
        active_.insert(number);
        ++open_;
    }
    void complete(std::int64_t age) {
        if (age == 0) return; // unknown
        if (age < 0) {
            if (active_.erase(age) != 0) --open_;
            return; // an inactive one is complete
        }
        auto const n = static_cast<std::int64_t>(is_open_.size());
        auto const at = static_cast<std::size_t>(n - age);
        if (age > n || !is_open_[at]) { // started before
            is_valid_ = false;
            return;
        }
        is_open_[at] = false;
        --open_;
    }

    persistent_requests const& persistent_;
    std::vector<bool> is_open_; // but for those that are completed by their number
    std::set<std::int64_t> active_;
    std::int64_t open_ = 0, calls_ = 0;
    std::int64_t taken_ = 0; // messages of MPI_Mprobe that are not received
    bool is_valid_ = true, completes_any_ = false, has_persistent_ = false, has_untaken_ = false;
};

/// Why a rank's epochs cannot be those of a phase; empty if they can. Locks that are open at its begin or its end are
/// no reason, because a rank opens and closes them alone.
std::string epoch_fault(program const& of, std::vector<step const*> const& steps) {
    if (steps.empty()) return {};
    auto const before = epochs_before(of, *steps.front());
    auto after = before;
    for (auto const* s : steps) after.add(*s);
    if (after.is_faulty()) return "makes one-sided operations outside of an epoch";
    auto again = after; // the next pass begins where this one ends, but for locks
    for (auto const* s : steps) again.add(*s);
    for (auto const& [window, end] : after.open()) {
        auto const found = before.open().find(window);
        auto const begin = found == before.open().end() ? window_epoch{} : found->second;
        if (begin.has_fenced_operations || end.has_fenced_operations || !begin.access.empty() || !end.access.empty() ||
            !begin.exposure.empty() || !end.exposure.empty() || (begin.is_fenced && again.is_faulty()))
            return "has an epoch that is not closed";
    }
    return {};
}

} // namespace

bool leaves_requests(program const& of, std::vector<step const*> const& steps) {
    persistent_requests const persistent{of};
    open_requests requests{persistent};
    for (auto const* s : steps) requests.add(*s);
    return requests.leaves_some();
}

std::string incompleteness(trace const& t, std::vector<std::vector<step const*>> const& steps, bool is_whole) {
    traffic_balance traffic;
    for (std::size_t rank = 0; rank != steps.size(); ++rank) {
        auto const& run = t.programs[t.threads[rank].program];
        persistent_requests const persistent{run};
        open_requests requests{persistent};
        for (auto const* s : steps[rank]) {
            traffic.add(t.threads[rank], persistent, *s, 1);
            requests.add(*s);
        }
        auto const name = "rank " + std::to_string(rank) + ' ';
        if (auto const fault = requests.fault(is_whole); !fault.empty()) return name + fault;
        if (auto const fault = epoch_fault(run, steps[rank]); !fault.empty()) return name + fault;
    }
    return traffic.fault();
}

} // namespace tools::replay
