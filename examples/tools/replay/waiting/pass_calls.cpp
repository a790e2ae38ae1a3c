// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/pass_calls.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <map>

namespace tools::replay {

namespace {

/// Requests that a step starts in all its passes.
std::size_t requests_of(step const& s) {
    if (!s.is_loop()) return starts_request(s) ? 1 : 0;
    std::size_t found = 0;
    for (auto const& part : s.body) found += requests_of(part);
    return found * static_cast<std::size_t>(s.passes);
}

class call_list {
public:
    explicit call_list(program const& run) : persistent_{run} {}

    void add(step const& s) {
        if (!s.is_loop()) return add_call(s);
        auto const kept = passes_inside(s.passes), all = static_cast<std::size_t>(s.passes);
        for (std::size_t pass = 0; pass != kept; ++pass) {
            follows_gap_ = follows_gap_ || (pass != 0 && kept != all);
            for (auto const& part : s.body) add(part);
        }
        follows_gap_ = follows_gap_ || kept != all;
        next_request_ += requests_of(s) / all * (all - kept);
    }

    /// The first call follows the last one.
    void end() { calls.front().follows_gap = follows_gap_; }

    std::vector<pass_call> calls;

private:
    void add_call(step const& s) {
        pass_call made{.what = &s, .follows_gap = follows_gap_};
        follows_gap_ = false;
        if (starts_persistent(s)) start_persistent(s, made);
        else if (completes_named(s) || completes_any(s)) complete(s, made);
        else start(s, made);
        if (!made.starts.empty()) latest_ = calls.size();
        calls.push_back(std::move(made));
    }

    void start(step const& s, pass_call& made) {
        auto const takes_part = is_collective(s) || sends(s) || receives(s) || s.call == "Probe";
        if (takes_part && !s.is_invalid && !s.call.ends_with("_init") && s.what.comm >= 0) made.starts.push_back(&s);
        made.waits = !made.starts.empty() && !starts_request(s);
        if (starts_request(s)) open_[next_request_++] = calls.size();
    }

    void start_persistent(step const& s, pass_call& made) {
        for (auto const number : s.requests)
            if (auto const* maker = persistent_.maker(s, number); maker != nullptr && maker->what.comm >= 0) {
                made.starts.push_back(maker);
                active_[number] = calls.size();
            }
    }

    /// Of MPI_Waitany and the like it is not known which requests they complete: those of the latest call.
    void complete(step const& s, pass_call& made) {
        if (completes_any(s)) made.completes.push_back(latest_);
        else complete_named(s, made);
        std::erase_if(made.completes, [&](std::size_t i) { return i >= calls.size() || calls[i].starts.empty(); });
        made.waits = !made.completes.empty() && s.call != "Request_free";
    }

    void complete_named(step const& s, pass_call& made) {
        for (auto const age : s.requests) {
            if (age < 0 && active_.count(age) != 0) made.completes.push_back(active_.at(age));
            if (age <= 0 || static_cast<std::size_t>(age) > next_request_) continue;
            auto const of = open_.find(next_request_ - static_cast<std::size_t>(age));
            if (of != open_.end()) made.completes.push_back(of->second);
        }
    }

    persistent_requests persistent_;
    std::map<std::size_t, std::size_t> open_;    // call that started the request of a number
    std::map<std::int64_t, std::size_t> active_; // of persistent requests
    std::size_t next_request_ = 0, latest_ = static_cast<std::size_t>(-1);
    bool follows_gap_ = false;
};

} // namespace

std::vector<pass_call> calls_of_pass(program const& run, step const& loop) {
    call_list found{run};
    for (auto const& s : loop.body) found.add(s);
    found.end();
    return std::move(found.calls);
}

} // namespace tools::replay
