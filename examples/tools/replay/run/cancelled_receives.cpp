// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/cancelled_receives.hpp"

#include "tools/replay/run/phase_completeness.hpp"
#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tools::replay {

namespace {

/// The nonblocking calls of a program, and how often their requests are cancelled.
class cancelled_requests {
public:
    void add(step& s) {
        for (std::uint64_t pass = 0; changes_requests(s) && pass != s.passes && started_.size() < most; ++pass)
            for (auto& part : s.body) add(part);
        if (s.is_loop()) return;
        if (is_replayed(s) && starts_request(s)) {
            started_.push_back(&s);
            ++calls_[&s];
        }
        for (auto const age : s.requests)
            if (s.call == "Cancel" && age > 0 && age <= static_cast<std::int64_t>(started_.size()))
                if (auto* const made = std::exchange(*(started_.end() - age), nullptr)) --calls_[made];
    }

    /// Receives whose calls are all cancelled.
    std::vector<step*> receives() const {
        std::vector<step*> found;
        for (auto const& [made, kept] : calls_)
            if (kept == 0 && made->call == "Irecv" && started_.size() < most) found.push_back(made);
        return found;
    }

private:
    static constexpr std::size_t most = 10'000'000; // requests

    static bool changes_requests(step const& s) {
        return std::any_of(s.body.begin(), s.body.end(), [](step const& part) {
            return changes_requests(part) || starts_request(part) || part.call == "Cancel";
        });
    }

    std::vector<step*> started_;          // null if it is cancelled
    std::map<step*, std::int64_t> calls_; // that are not cancelled
};

bool cancels(std::vector<step> const& body) {
    return std::any_of(body.begin(), body.end(), [](step const& s) { return s.call == "Cancel" || cancels(s.body); });
}

bool is_complete(trace const& t) {
    std::vector<std::vector<step const*>> steps(t.threads.size());
    for (std::size_t rank = 0; rank != steps.size(); ++rank)
        for (auto const& s : t.programs[t.threads[rank].program].body) steps[rank].push_back(&s);
    return incompleteness(t, steps, true).empty();
}

} // namespace

void leave_out_cancelled(trace& t) {
    std::vector<step*> found;
    for (auto& calls : t.programs) {
        if (!cancels(calls.body)) continue;
        cancelled_requests requests;
        for (auto& s : calls.body) requests.add(s);
        auto const more = requests.receives();
        found.insert(found.end(), more.begin(), more.end());
    }
    if (found.empty() || is_complete(t)) return;
    std::vector<distance> sources;
    for (auto* s : found) sources.push_back(std::exchange(s->what.from, null_partner));
    if (is_complete(t)) return;
    for (std::size_t i = 0; i != found.size(); ++i) found[i]->what.from = sources[i];
}

} // namespace tools::replay
