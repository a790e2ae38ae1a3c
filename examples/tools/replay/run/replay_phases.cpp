// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replay_phases.hpp"

#include "tools/replay/run/phase_completeness.hpp"
#include "tools/replay/run/replayable_calls.hpp"
#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

constexpr double smallest_share = 0.01; // of a loop that is a phase

using steps_of_ranks = std::vector<std::vector<step const*>>;

/// Steps of a body from one place to another.
void append(std::vector<step const*>& to, std::vector<step> const& body, std::size_t from, std::size_t end) {
    for (auto i = from; i != end; ++i) to.push_back(&body[i]);
}

/// The n-th loop of as many passes, from a place on; the size of the body if there is none.
std::size_t next_loop(std::vector<step> const& body, std::size_t from, std::uint64_t passes, std::ptrdiff_t n) {
    for (; from < body.size(); ++from)
        if (body[from].passes == passes && n-- == 0) break;
    return from;
}

std::vector<step> const& body_of(trace const& t, std::size_t rank) { return t.programs[t.threads[rank].program].body; }

/// The position of a loop on each rank: `at` on rank 0, on the others the loop with the same number of passes that has
/// as many of them before it. Empty if a rank has no such loop.
std::vector<std::size_t> places_of_loop(trace const& t, std::size_t at, std::vector<std::size_t> const& from) {
    auto const& first = body_of(t, 0);
    auto const passes = first[at].passes;
    auto const before = std::count_if(first.begin() + static_cast<std::ptrdiff_t>(from[0]),
                                      first.begin() + static_cast<std::ptrdiff_t>(at),
                                      [&](step const& s) { return s.passes == passes; });
    std::vector<std::size_t> places{at};
    for (std::size_t rank = 1; rank != t.threads.size(); ++rank) {
        places.push_back(next_loop(body_of(t, rank), from[rank], passes, before));
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

/// The part of rank 0's time that a loop takes. The end, which no phase has, may take longer than a short program.
double share_of(trace const& t, std::size_t at) {
    double all = 0;
    for (auto const& s : body_of(t, 0))
        if (s.call != "Finalize") all += seconds_of(s, t.threads[0]);
    return all > 0 ? seconds_of(body_of(t, 0)[at], t.threads[0]) / all : 1;
}

replay_phase phase_between(trace const& t, std::string name, std::vector<std::size_t> const& from,
                           std::vector<std::size_t> const& end) {
    replay_phase found{std::move(name), 1, steps_of_ranks(t.threads.size()), {}};
    for (std::size_t rank = 0; rank != t.threads.size(); ++rank)
        append(found.steps[rank], body_of(t, rank), from[rank], end[rank]);
    return found;
}

void count_left_out(step const& s, std::uint64_t times, std::map<std::string, std::uint64_t>& into) {
    for (auto const& part : s.body) count_left_out(part, times * s.passes, into);
    auto const has_replacement = s.call == "Finalize" || s.call == "Buffer_detach"; // a pass has a buffer of its own
    if (!s.is_loop() && (!is_replayed(s) || starts_nothing(s)) && !has_replacement) into[s.call] += times;
}

} // namespace

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
    require_replayable_calls(t);
    require_common_objects(t);
}

namespace {

/// The phases of a trace, found from its begin to its end.
class phase_search {
public:
    explicit phase_search(trace const& t) : trace_{t}, from_(t.threads.size()) {
        for (std::size_t rank = 0; rank != from_.size(); ++rank) end_.push_back(body_of(t, rank).size());
    }

    std::vector<replay_phase> found() {
        add_loops();
        add_between(loops_ == 0 ? "all" : "after loop " + std::to_string(loops_), end_);
        if (fault_.empty()) return std::move(found_);
        auto all = phase_between(trace_, "all", std::vector<std::size_t>(from_.size()), end_);
        if (auto const fault = incompleteness(trace_, all.steps, true); !fault.empty())
            throw std::runtime_error{"the trace cannot be replayed: " + fault};
        all.remark = fault_;
        return {all};
    }

    std::vector<replay_phase> loops() {
        add_loops();
        std::vector<replay_phase> loops;
        for (auto& phase : found_)
            if (phase.passes != 1) loops.push_back(std::move(phase));
        return loops;
    }

private:
    void add_loops() {
        for (std::size_t at = 0; at != end_[0]; ++at)
            if (body_of(trace_, 0)[at].is_loop() && at >= from_[0] && share_of(trace_, at) >= smallest_share)
                add_loop(at);
    }

    /// Add a loop of rank 0 and what is before it, if all ranks have it and it is complete in itself.
    void add_loop(std::size_t at) {
        auto const places = places_of_loop(trace_, at, from_);
        if (places.empty()) return;
        replay_phase loop{
            "loop " + std::to_string(loops_ + 1), body_of(trace_, 0)[at].passes, steps_of_ranks(from_.size()), {}};
        for (std::size_t rank = 0; rank != from_.size(); ++rank) {
            auto const& body = body_of(trace_, rank)[places[rank]].body;
            append(loop.steps[rank], body, 0, body.size());
        }
        if (!has_calls(loop.steps) || !incompleteness(trace_, loop.steps).empty()) return;
        add_between("before loop " + std::to_string(++loops_), places);
        found_.push_back(std::move(loop));
        for (std::size_t rank = 0; rank != from_.size(); ++rank) from_[rank] = places[rank] + 1;
    }

    /// Add what is between the last loop and a place.
    void add_between(std::string const& name, std::vector<std::size_t> const& to) {
        auto part = phase_between(trace_, name, from_, to);
        if (!has_calls(part.steps)) return;
        if (auto const fault = incompleteness(trace_, part.steps, loops_ == 0 && to == end_);
            !fault.empty() && fault_.empty())
            fault_ = name + ": " + fault;
        found_.push_back(std::move(part));
    }

    trace const& trace_;
    std::vector<std::size_t> from_, end_; // of each rank
    std::vector<replay_phase> found_;
    int loops_ = 0;
    std::string fault_; // the first reason why calls between loops are not complete
};

} // namespace

std::vector<replay_phase> phases_of(trace const& t) { return phase_search{t}.found(); }

std::vector<replay_phase> complete_loops_of(trace const& t) { return phase_search{t}.loops(); }

} // namespace tools::replay
