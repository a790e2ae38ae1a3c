// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replay_phases.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <tuple>

namespace tools::replay {

namespace {

std::set<std::string> const collectives{"Barrier",
                                        "Bcast",
                                        "Gather",
                                        "Gatherv",
                                        "Scatter",
                                        "Scatterv",
                                        "Allgather",
                                        "Allgatherv",
                                        "Alltoall",
                                        "Alltoallv",
                                        "Alltoallw",
                                        "Reduce",
                                        "Allreduce",
                                        "Scan",
                                        "Exscan",
                                        "Reduce_scatter",
                                        "Reduce_scatter_block",
                                        "Neighbor_allgather",
                                        "Neighbor_allgatherv",
                                        "Neighbor_alltoall",
                                        "Neighbor_alltoallv",
                                        "Neighbor_alltoallw"};
std::set<std::string> const sends{"Send",   "Ssend",  "Rsend",    "Isend",
                                  "Issend", "Irsend", "Sendrecv", "Sendrecv_replace"};
std::set<std::string> const receives{"Recv", "Irecv", "Sendrecv", "Sendrecv_replace", "Mprobe", "Improbe"};
std::set<std::string> const others{"Mrecv",   "Imrecv",   "Probe", "Iprobe",  "Wait",    "Waitall",
                                   "Waitany", "Waitsome", "Test",  "Testall", "Testany", "Testsome"};

/// Messages and collectives of all ranks.
class traffic_balance {
public:
    void add(thread_trace const& thread, step const& s, double times) {
        if (s.is_loop()) {
            for (auto const& part : s.body) add(thread, part, times * static_cast<double>(s.passes));
            return;
        }
        if (!is_replayed(s) || s.what.comm < 0) return;
        auto const& in = thread.communicators[static_cast<std::size_t>(s.what.comm)];
        if (is_collective(s)) collectives_[{in.text, blocking_name(s.call)}][thread.rank] += times;
        auto const world = [&](distance d) { return in.world[static_cast<std::size_t>(in.partner(d))]; };
        if (sends.count(s.call) != 0 && s.what.to >= 0) {
            sent_[{in.text, world(s.what.to), thread.rank, s.what.tag}] += times;
            inbox_[{in.text, world(s.what.to)}] += times;
        }
        if (receives.count(s.call) != 0 && s.what.from != null_partner) {
            inbox_[{in.text, thread.rank}] -= times;
            if (s.what.from >= 0 && s.what.recv_tag >= 0)
                received_[{in.text, thread.rank, world(s.what.from), s.what.recv_tag}] += times;
        }
        members_.try_emplace(in.text, in.world);
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
                           " call MPI_" + key.second + " differently often on the communicator of ranks " + key.first;
        return {};
    }

private:
    using message_key = std::tuple<std::string, int, int, int>; // communicator, to, from, tag
    std::map<message_key, double> sent_, received_;
    std::map<std::pair<std::string, int>, double> inbox_; // messages to a rank that are not received
    std::map<std::pair<std::string, std::string>, std::map<int, double>> collectives_;
    std::map<std::string, std::vector<int>> members_;
};

/// The requests of a rank, call by call.
class open_requests {
public:
    void add(step const& s) {
        for (std::uint64_t pass = 0; s.is_loop() && pass != s.passes && is_valid_; ++pass)
            for (auto const& part : s.body) add(part);
        if (s.is_loop() || !is_replayed(s)) return;
        if (starts_request(s)) {
            is_open_.push_back(true);
            ++open_;
            is_valid_ = is_open_.size() <= most;
        }
        for (auto const age : s.requests) complete(age);
        if (s.call == "Waitany" || s.call == "Waitsome" || s.call == "Testany" || s.call == "Testsome")
            for (std::int64_t i = 0; i < s.what.count; ++i) complete_oldest();
    }
    bool is_complete() const { return is_valid_ && open_ == 0; }

private:
    static constexpr std::size_t most = 100'000'000;

    void complete(std::int64_t age) {
        if (age <= 0) return; // persistent, or unknown: left out
        auto const n = static_cast<std::int64_t>(is_open_.size());
        if (age > n || !is_open_[static_cast<std::size_t>(n - age)]) is_valid_ = false; // started before
        else close(static_cast<std::size_t>(n - age));
    }
    void complete_oldest() {
        while (oldest_ != is_open_.size() && !is_open_[oldest_]) ++oldest_;
        if (oldest_ == is_open_.size()) is_valid_ = false;
        else close(oldest_);
    }
    void close(std::size_t at) {
        is_open_[at] = false;
        --open_;
    }

    std::vector<bool> is_open_;
    std::size_t open_ = 0, oldest_ = 0;
    bool is_valid_ = true;
};

constexpr double smallest_share = 0.01; // of a loop that is a phase

using steps_of_ranks = std::vector<std::vector<step const*>>;

/// Steps of a body from one place to another.
void append(std::vector<step const*>& to, std::vector<step> const& body, std::size_t from, std::size_t end) {
    for (auto i = from; i != end; ++i) to.push_back(&body[i]);
}

/// The next loop of as many passes, from a place on; the size of the body if there is none.
std::size_t next_loop(std::vector<step> const& body, std::size_t from, std::uint64_t passes) {
    while (from < body.size() && body[from].passes != passes) ++from;
    return from;
}

std::vector<step> const& body_of(trace const& t, std::size_t rank) { return t.programs[t.threads[rank].program].body; }

/// The position of a loop on each rank: `at` on rank 0, on the others the next loop with the same number of passes.
/// Empty if a rank has no such loop.
std::vector<std::size_t> places_of_loop(trace const& t, std::size_t at, std::vector<std::size_t> const& from) {
    std::vector<std::size_t> places{at};
    for (std::size_t rank = 1; rank != t.threads.size(); ++rank) {
        places.push_back(next_loop(body_of(t, rank), from[rank], body_of(t, 0)[at].passes));
        if (places.back() == body_of(t, rank).size()) return {};
    }
    return places;
}

bool has_replayed_call(step const& s) {
    return s.is_loop() ? std::any_of(s.body.begin(), s.body.end(), has_replayed_call) : is_replayed(s);
}

bool has_calls(steps_of_ranks const& steps) {
    return std::any_of(steps.begin(), steps.end(), [](auto const& own) {
        return std::any_of(own.begin(), own.end(), [](auto const* s) { return has_replayed_call(*s); });
    });
}

/// Seconds of a step on a rank, with the time between calls.
double seconds_of(step const& s, thread_trace const& on) {
    if (!s.is_loop()) return mean_of(on.think[s.place]) + mean_of(on.call[s.place]);
    double pass = 0;
    for (auto const& part : s.body) pass += seconds_of(part, on);
    return pass * static_cast<double>(s.passes);
}

/// The part of rank 0's time that a loop takes.
double share_of(trace const& t, std::size_t at) {
    double all = 0;
    for (auto const& s : body_of(t, 0)) all += seconds_of(s, t.threads[0]);
    return all > 0 ? seconds_of(body_of(t, 0)[at], t.threads[0]) / all : 1;
}

replay_phase phase_between(trace const& t, std::string name, std::vector<std::size_t> const& from,
                           std::vector<std::size_t> const& end) {
    replay_phase found{std::move(name), 1, steps_of_ranks(t.threads.size())};
    for (std::size_t rank = 0; rank != t.threads.size(); ++rank)
        append(found.steps[rank], body_of(t, rank), from[rank], end[rank]);
    return found;
}

void count_left_out(step const& s, std::uint64_t times, std::map<std::string, std::uint64_t>& into) {
    for (auto const& part : s.body) count_left_out(part, times * s.passes, into);
    if (!s.is_loop() && !is_replayed(s)) into[s.call] += times;
}

} // namespace

std::string blocking_name(std::string const& call) {
    if (!call.starts_with('I') || call.size() < 2) return call;
    auto name = call.substr(1);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return collectives.count(name) != 0 ? name : call;
}

bool is_collective(step const& s) { return collectives.count(blocking_name(s.call)) != 0; }

bool starts_request(step const& s) {
    return s.call == "Isend" || s.call == "Issend" || s.call == "Irsend" || s.call == "Irecv" || s.call == "Imrecv" ||
           (is_collective(s) && blocking_name(s.call) != s.call);
}

bool is_replayed(step const& s) {
    auto const is_left_out = [](std::int64_t age) { return age <= 0; }; // persistent, or of another thread
    if (!s.requests.empty() && std::all_of(s.requests.begin(), s.requests.end(), is_left_out)) return false;
    return is_collective(s) || sends.count(s.call) != 0 || receives.count(s.call) != 0 || others.count(s.call) != 0;
}

std::map<std::string, std::uint64_t> left_out(trace const& t) {
    std::map<std::string, std::uint64_t> found;
    for (auto const& thread : t.threads) {
        for (auto const& s : t.programs[thread.program].body) count_left_out(s, 1, found);
        for (auto const& [call, n] : thread.not_recorded) found[call] += n;
    }
    return found;
}

void require_replayable(trace const& t, int ranks) {
    auto const refuse = [](std::string const& reason) {
        throw std::runtime_error{"the trace cannot be replayed: " + reason};
    };
    if (!t.remarks.empty()) refuse(t.remarks.front());
    if (t.about.ranks != ranks)
        throw std::runtime_error{"the trace is of " + std::to_string(t.about.ranks) + " ranks, and this job has " +
                                 std::to_string(ranks) + ": its messages are between those ranks"};
    for (std::size_t i = 0; i != t.threads.size(); ++i) {
        if (t.threads[i].thread != 0)
            refuse("rank " + std::to_string(t.threads[i].rank) + " called MPI from several threads");
        if (t.threads[i].rank != static_cast<int>(i)) refuse("rank " + std::to_string(i) + " is not recorded");
        if (t.threads[i].dropped != 0)
            refuse("calls of rank " + std::to_string(i) + " are missing, since the recorder's memory was full");
        for (auto const& c : t.threads[i].communicators)
            if (c.world.empty()) refuse("it has an intercommunicator");
    }
    if (t.threads.size() != static_cast<std::size_t>(ranks)) refuse("ranks are not recorded");
}

std::string incompleteness(trace const& t, steps_of_ranks const& steps) {
    traffic_balance traffic;
    for (std::size_t rank = 0; rank != steps.size(); ++rank) {
        open_requests requests;
        for (auto const* s : steps[rank]) {
            traffic.add(t.threads[rank], *s, 1);
            requests.add(*s);
        }
        if (!requests.is_complete())
            return "rank " + std::to_string(rank) +
                   " completes requests that it did not start, or does not complete all";
    }
    return traffic.fault();
}

std::vector<replay_phase> phases_of(trace const& t) {
    std::vector<replay_phase> found;
    std::vector<std::size_t> from(t.threads.size()), end;
    for (std::size_t rank = 0; rank != from.size(); ++rank) end.push_back(body_of(t, rank).size());
    int number = 0;
    bool is_complete = true;
    auto const add_between = [&](std::string const& name, std::vector<std::size_t> const& to) {
        auto part = phase_between(t, name, from, to);
        if (!has_calls(part.steps)) return;
        is_complete = is_complete && incompleteness(t, part.steps).empty();
        found.push_back(std::move(part));
    };
    for (std::size_t at = 0; at != end[0]; ++at) {
        if (!body_of(t, 0)[at].is_loop() || at < from[0]) continue;
        auto const places = places_of_loop(t, at, from);
        if (places.empty() || share_of(t, at) < smallest_share) continue;
        replay_phase loop{"loop " + std::to_string(number + 1), body_of(t, 0)[at].passes, steps_of_ranks(from.size())};
        for (std::size_t rank = 0; rank != from.size(); ++rank) {
            auto const& body = body_of(t, rank)[places[rank]].body;
            append(loop.steps[rank], body, 0, body.size());
        }
        if (!has_calls(loop.steps) || !incompleteness(t, loop.steps).empty()) continue;
        add_between("before loop " + std::to_string(++number), places);
        found.push_back(std::move(loop));
        for (std::size_t rank = 0; rank != from.size(); ++rank) from[rank] = places[rank] + 1;
    }
    add_between(number == 0 ? "all" : "after loop " + std::to_string(number), end);
    if (is_complete) return found;
    auto all = phase_between(t, "all", std::vector<std::size_t>(from.size()), end);
    if (auto const fault = incompleteness(t, all.steps); !fault.empty())
        throw std::runtime_error{"the trace cannot be replayed: " + fault};
    found.clear();
    found.push_back(std::move(all));
    return found;
}

} // namespace tools::replay
