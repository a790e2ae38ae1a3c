// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/timed_passes.hpp"

#include "tools/replay/run/phase_completeness.hpp"
#include "tools/replay/waiting/awaited_calls.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tools::replay {

namespace {

/// The loop of a rank whose body begins with a step.
std::pair<step const*, loop_passes const*> loop_with(program const& run, thread_trace const& of, step const* first) {
    std::size_t number = 0;
    for (auto const& s : run.body) {
        if (!s.is_loop()) continue;
        if (&s.body.front() == first) return {&s, &of.passes[number]};
        ++number;
    }
    return {};
}

/// Requests that a step starts in all its passes.
std::size_t requests_of(step const& s) {
    if (!s.is_loop()) return starts_request(s) ? 1 : 0;
    std::size_t found = 0;
    for (auto const& part : s.body) found += requests_of(part);
    return found * static_cast<std::size_t>(s.passes);
}

/// Why passes of inner loops that are not kept would be missed: messages between two of their passes. Empty if not.
std::string inner_fault(trace const& t, std::vector<std::vector<step const*>> const& bodies) {
    std::size_t inner = 0;
    for (auto const* s : bodies[0]) inner += s->is_loop() ? 1 : 0;
    for (std::size_t n = 0; n != inner; ++n) {
        std::vector<std::vector<step const*>> found;
        std::uint64_t passes = 0;
        for (auto const& body : bodies) {
            auto left = n;
            auto const at =
                std::find_if(body.begin(), body.end(), [&](auto const* s) { return s->is_loop() && left-- == 0; });
            if (at == body.end() || (passes != 0 && (*at)->passes != passes)) return "ranks have different inner loops";
            passes = (*at)->passes;
            auto& steps = found.emplace_back();
            for (auto const& s : (*at)->body) steps.push_back(&s);
        }
        if (passes <= kept_passes::chosen_inside) continue; // all are kept
        if (auto const fault = incompleteness(t, found); !fault.empty()) return "in a pass of an inner loop " + fault;
        if (auto const fault = inner_fault(t, found); !fault.empty()) return fault;
    }
    return {};
}

/// Numbers of the places of calls, equal on all ranks.
class place_numbers {
public:
    explicit place_numbers(std::vector<call_place>& into) : into_{into} {}

    std::size_t of(std::string const& call, std::string const& site, std::size_t number) {
        auto const [at, is_new] = known_.try_emplace({call, site, number}, into_.size());
        if (is_new) into_.push_back({call, site, number});
        return at->second;
    }

private:
    std::vector<call_place>& into_;
    std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> known_;
};

/// The calls of one rank in the passes of a block.
class rank_passes {
public:
    rank_passes(trace const& t, thread_trace const& of, loop_passes const& times, place_numbers& places,
                awaited_calls& awaited, std::vector<timed_call>& into)
        : run_{t.programs[of.program]}, of_{of}, times_{times}, persistent_{run_}, places_{places}, awaited_{awaited},
          into_{into} {}

    void add(step const& loop, std::size_t kept, std::size_t pass) {
        kept_ = kept;
        pass_ = pass;
        row_ = 0;
        numbers_.clear();
        for (auto const& s : loop.body) add(s);
    }

private:
    void add(step const& s) {
        if (!s.is_loop()) return add_call(s);
        auto const kept = passes_inside(s.passes);
        for (std::size_t inner = 0; inner != kept; ++inner)
            for (auto const& part : s.body) add(part);
        auto const in_pass = requests_of(s) / static_cast<std::size_t>(s.passes);
        awaited_.skip_requests(static_cast<std::size_t>(of_.rank),
                               in_pass * (static_cast<std::size_t>(s.passes) - kept));
    }

    void add_call(step const& s) {
        auto const& site = run_.sites[static_cast<std::size_t>(s.what.site)];
        auto const end = times_.end[row_][kept_];
        auto const begin = end - times_.call[row_][kept_];
        auto const place = places_.of(s.call, site, numbers_[{s.call, site}]++);
        into_.push_back({place, pass_, times_.think[row_][kept_], of_.clock.global(begin), of_.clock.global(end)});
        awaited_.add(of_, persistent_, s, into_.size() - 1);
        ++row_;
    }

    program const& run_;
    thread_trace const& of_;
    loop_passes const& times_;
    persistent_requests persistent_;
    place_numbers& places_;
    awaited_calls& awaited_;
    std::vector<timed_call>& into_;
    std::size_t kept_ = 0, pass_ = 0, row_ = 0;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_; // of calls at each site in the pass
};

/// The number of kept passes in each block, from the first on: a short loop is kept as a whole.
std::vector<std::size_t> block_lengths(std::uint64_t passes) {
    constexpr std::size_t blocks = kept_passes::chosen / kept_passes::block;
    if (passes >= kept_passes::chosen) return std::vector<std::size_t>(blocks, kept_passes::block);
    auto const n = static_cast<std::size_t>(passes);
    auto const length = (n + blocks - 1) / blocks;
    return std::vector<std::size_t>(n / length, length);
}

} // namespace

timed_loop timed_loop_of(trace const& t, replay_phase const& loop) {
    timed_loop found;
    found.fault = inner_fault(t, loop.steps);
    if (!found.fault.empty()) return found;
    std::vector<std::pair<step const*, loop_passes const*>> loops;
    for (std::size_t rank = 0; rank != t.threads.size(); ++rank) {
        auto const& own = t.threads[rank];
        loops.push_back(loop_with(t.programs[own.program], own, loop.steps[rank].front()));
        found.errors.push_back(own.clock.error);
    }
    place_numbers places{found.places};
    for (auto const length : block_lengths(loop.passes)) {
        auto& block = found.blocks.emplace_back(t.threads.size());
        awaited_calls awaited{t.threads.size()};
        for (std::size_t rank = 0; rank != t.threads.size(); ++rank) {
            rank_passes own{t, t.threads[rank], *loops[rank].second, places, awaited, block[rank]};
            for (std::size_t i = 0; i != length; ++i) own.add(*loops[rank].first, found.passes + i, i);
        }
        awaited.resolve(block);
        found.left_out += awaited.left_out();
        found.passes += length;
    }
    return found;
}

} // namespace tools::replay
