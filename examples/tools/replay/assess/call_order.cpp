// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/call_order.hpp"

#include "tools/replay/run/phase_completeness.hpp"
#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <cstdint>

namespace tools::replay {

namespace {

std::string content_text(step const& s, program const& calls, thread_trace const& own) {
    auto const& e = s.what;
    auto text = s.call + ' ' + (e.site == absent ? "" : calls.sites.at(static_cast<std::size_t>(e.site))) + ' ' +
                (e.comm < 0 ? "" : own.communicators[static_cast<std::size_t>(e.comm)].text);
    for (std::int64_t const n :
         {std::int64_t{e.to}, std::int64_t{e.tag}, std::int64_t{e.from}, std::int64_t{e.recv_tag}, std::int64_t{e.root},
          calls.size_of(e.type), calls.size_of(e.recv_type), e.count, e.recv_count})
        text += ' ' + std::to_string(n);
    if (e.operation != absent) text += ' ' + calls.operations[static_cast<std::size_t>(e.operation)];
    for (auto const* list : {&s.counts, &s.requests}) {
        text += '|';
        for (auto const n : *list) text += std::to_string(n) + ' ';
    }
    return text;
}

/// True for messages and collectives that are neither persistent nor buffered, and for what completes them.
bool is_judged(step const& s) {
    auto const is_left_out = [](std::int64_t age) { return age <= 0; }; // persistent, or of another thread
    if (!s.requests.empty() && std::all_of(s.requests.begin(), s.requests.end(), is_left_out)) return false;
    auto const is_of_other_kind = is_one_sided(s) || synchronizes_window(s) || starts_persistent(s) ||
                                  makes_persistent_message(s) || is_buffered(s) || s.call.starts_with("Pready") ||
                                  s.call == "Parrived" || s.call.starts_with("Request_");
    return is_replayed(s) && !is_of_other_kind;
}

/// Puts the calls of one rank in order.
class ordering {
public:
    ordering(program const& calls, thread_trace const& own, call_contents& contents, std::size_t most)
        : calls_{calls}, own_{own}, contents_{contents}, most_{most} {}

    bool add(step const& s) {
        for (std::uint64_t pass = 0; s.is_loop() && pass != s.passes; ++pass)
            for (auto const& part : s.body)
                if (!add(part)) return false;
        if (s.is_loop() || !is_judged(s)) return true;
        if (found.size() == most_) return false;
        ordered_call made{.what = &s, .content = contents_.of(s, calls_, own_)};
        made.is_message = !is_collective(s) && (s.requests.empty() || completes_any(s));
        for (auto const age : s.requests) {
            auto const started = static_cast<std::int64_t>(of_message_.size());
            if (age <= 0 || age > started || completes_any(s)) continue;
            made.completes.push_back(static_cast<std::size_t>(started - age));
            made.is_message = made.is_message || of_message_[made.completes.back()];
        }
        if (starts_request(s)) {
            made.starts = true;
            made.started = of_message_.size();
            of_message_.push_back(!is_collective(s));
        }
        found.push_back(std::move(made));
        return true;
    }

    std::vector<ordered_call> found;

private:
    program const& calls_;
    thread_trace const& own_;
    call_contents& contents_;
    std::size_t most_;
    std::vector<bool> of_message_; // each request
};

} // namespace

std::size_t call_contents::of(step const& s, program const& calls, thread_trace const& own) {
    auto const [found, is_new] = known_[&s].try_emplace(own.rank, 0);
    if (is_new) found->second = numbers_.try_emplace(content_text(s, calls, own), numbers_.size()).first->second;
    return found->second;
}

std::optional<std::vector<ordered_call>> calls_in_order(std::vector<step const*> const& steps, program const& calls,
                                                        thread_trace const& own, call_contents& contents,
                                                        std::size_t most) {
    ordering order{calls, own, contents, most};
    for (auto const* s : steps)
        if (!order.add(*s)) return std::nullopt;
    return std::move(order.found);
}

std::vector<step> renumbered(std::vector<ordered_call> const& calls) {
    std::vector<step> found;
    std::map<std::size_t, std::size_t> numbers; // among these calls
    for (auto const& c : calls) {
        auto copy = *c.what;
        copy.requests.clear();
        for (auto const request : c.completes)
            if (auto const own = numbers.find(request); own != numbers.end())
                copy.requests.push_back(static_cast<std::int64_t>(numbers.size() - own->second));
        if (!c.completes.empty() && copy.requests.empty() && !completes_any(copy)) continue;
        if (c.starts) numbers.emplace(c.started, numbers.size());
        found.push_back(std::move(copy));
    }
    return found;
}

contents_of_ranks contents_of(calls_of_ranks const& calls) {
    contents_of_ranks found(calls.size());
    for (std::size_t rank = 0; rank != calls.size(); ++rank)
        for (auto const& c : calls[rank]) found[rank].push_back(c.content);
    return found;
}

std::vector<std::vector<step>> renumbered(calls_of_ranks const& calls) {
    std::vector<std::vector<step>> found;
    for (auto const& of_rank : calls) found.push_back(renumbered(of_rank));
    return found;
}

bool is_complete(trace const& t, calls_of_ranks const& calls) {
    auto const steps = renumbered(calls);
    std::vector<std::vector<step const*>> pointers(steps.size());
    for (std::size_t rank = 0; rank != steps.size(); ++rank)
        for (auto const& s : steps[rank]) pointers[rank].push_back(&s);
    return incompleteness(t, pointers).empty();
}

} // namespace tools::replay
