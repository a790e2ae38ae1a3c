// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/exchange_times.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace tools::replay {

namespace {

constexpr std::size_t no_work = static_cast<std::size_t>(-1);

/// A rank on its way through the kept passes of a loop.
struct rank_in_loop {
    thread_trace const* own = nullptr;
    step const* loop = nullptr;
    loop_passes const* times = nullptr;
    std::vector<pass_call> calls{};
    std::vector<std::size_t> works{};   // before each call
    std::size_t next = 0;               // call of the pass
    double end = 0;                     // of the call before it
    double gap = 0;                     // time since the last step that is not kept
    std::vector<sonde::seconds> work{}; // since the last step
    sonde::seconds left{};              // exit of the last step

    double begin_of(std::size_t call, std::size_t pass) const {
        return own->clock.global(times->end[call][pass] - times->call[call][pass]);
    }
};

std::string name_of(program const& run, step const& s) {
    auto const& site = run.sites[static_cast<std::size_t>(s.what.site)];
    return s.call + (site.empty() ? "" : " at " + site);
}

class exchange_timing {
public:
    exchange_timing(trace const& t, replay_phase const& loop)
        : trace_{t}, numbers_{kept_passes::chosen_numbers(loop.passes)} {
        std::vector<std::vector<pass_call>> calls;
        for (std::size_t rank = 0; rank != t.threads.size(); ++rank) {
            find_loop(t.threads[rank], loop.steps[rank].front());
            calls.push_back(ranks_.back().calls);
        }
        found_.of_pass = exchanges_of(t, calls);
        find_works();
        for (auto const& e : found_.of_pass) add_exchange(e);
    }

    exchange_times found() {
        auto& all = found_.passes;
        all.ranks = static_cast<int>(ranks_.size());
        all.oversubscribed = trace_.crowded();
        std::vector<double> errors;
        for (auto const& t : trace_.threads) errors.push_back(t.clock.error);
        std::partial_sort(errors.begin(), errors.begin() + 2, errors.end(), std::greater<>{});
        all.clock_error = sonde::seconds{errors[0] + errors[1]};
        constexpr std::size_t most = std::size_t{1} << 22; // passes of exchanges
        auto const in_pass = std::max<std::size_t>(found_.of_pass.size() * ranks_.size(), 1);
        found_.kept = std::min(numbers_.size(), std::max<std::size_t>(most / in_pass, 1));
        for (pass_ = numbers_.size() - found_.kept; pass_ != numbers_.size(); ++pass_) add_pass();
        return std::move(found_);
    }

private:
    void find_loop(thread_trace const& own, step const* first) {
        rank_in_loop made{.own = &own};
        std::size_t number = 0;
        for (auto const& s : trace_.programs[own.program].body) {
            if (!s.is_loop()) continue;
            if (&s.body.front() == first) made.loop = &s;
            if (made.loop == nullptr) ++number;
        }
        made.times = &own.passes[number];
        made.calls = calls_of_pass(trace_.programs[own.program], *made.loop);
        ranks_.push_back(std::move(made));
    }

    /// The works are those that take a hundredth of the time, at most eight.
    void find_works() {
        std::map<std::string, double> sums;
        double all = 0;
        auto const sum_of = [](kept_times const& t) { return std::accumulate(t.begin(), t.end(), 0.0); };
        for (auto const& r : ranks_)
            for (std::size_t i = 0; i != r.calls.size(); ++i) {
                sums[work_before(r, i)] += sum_of(r.times->think[i]);
                all += sum_of(r.times->think[i]) + sum_of(r.times->call[i]);
            }
        std::vector<std::pair<double, std::string>> longest;
        for (auto const& [name, sum] : sums)
            if (sum >= 0.01 * all) longest.emplace_back(-sum, name);
        std::sort(longest.begin(), longest.end());
        longest.resize(std::min<std::size_t>(longest.size(), 8));
        auto& works = found_.passes.works;
        for (auto const& [sum, name] : longest) works.push_back(name);
        for (auto& r : ranks_) {
            r.work.resize(works.size());
            for (std::size_t i = 0; i != r.calls.size(); ++i) {
                auto const at = std::find(works.begin(), works.end(), work_before(r, i));
                r.works.push_back(at == works.end() ? no_work : static_cast<std::size_t>(at - works.begin()));
            }
        }
    }
    std::string work_before(rank_in_loop const& r, std::size_t call) const {
        return "work before " + name_of(trace_.programs[r.own->program], *r.calls[call].what);
    }

    /// Exchanges of a pass with the same name and partners are one exchange.
    void add_exchange(pass_exchange const& e) {
        std::map<std::pair<std::string, std::string>, double> times;
        std::vector<std::vector<int>> partners(ranks_.size());
        for (std::size_t rank = 0; rank != ranks_.size(); ++rank) partners[rank] = {static_cast<int>(rank)};
        for (auto const& [rank, part] : e.ranks) {
            auto const& r = ranks_[static_cast<std::size_t>(rank)];
            auto const& run = trace_.programs[r.own->program];
            for (auto i = part.first; i <= part.last; ++i)
                times[{r.calls[i].what->call, run.sites[static_cast<std::size_t>(r.calls[i].what->what.site)]}] +=
                    std::accumulate(r.times->call[i].begin(), r.times->call[i].end(), 0.0);
            auto& own = partners[static_cast<std::size_t>(rank)];
            if (part.awaits_all) own.clear();
            else
                for (auto const& [other, pattern] : part.partners)
                    if (other != rank) own.push_back(other);
        }
        auto const longest =
            std::max_element(times.begin(), times.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
        auto const [at, is_new] = known_.try_emplace({longest, partners}, found_.sites.size());
        exchange_of_.push_back(at->second);
        if (!is_new) return;
        found_.sites.push_back(longest);
        auto const name = longest.first + (longest.second.empty() ? "" : " at " + longest.second);
        found_.passes.exchanges.push_back({name, std::move(partners)});
        in_pass_.push_back(0);
        added_.push_back(0);
    }

    void add_pass() {
        for (auto& r : ranks_) r.next = 0;
        std::fill(added_.begin(), added_.end(), 0);
        if (pass_ + found_.kept == numbers_.size())
            for (auto const e : exchange_of_) ++in_pass_[e];
        for (std::size_t i = 0; i != found_.of_pass.size(); ++i) add_step(exchange_of_[i], found_.of_pass[i]);
        for (auto& r : ranks_)
            while (r.next != r.calls.size()) pass_by(r);
    }

    void add_step(std::size_t exchange, pass_exchange const& e) {
        auto gap = e.ranks.empty() ? 0.0 : -1.0; // that all ranks have in common
        for (auto const& [rank, part] : e.ranks) {
            auto& r = ranks_[static_cast<std::size_t>(rank)];
            while (r.next < part.first) pass_by(r);
            reach(r);
            gap = gap < 0 ? r.gap : std::min(gap, r.gap);
        }
        gaps_ += gap;
        auto const number = numbers_[pass_] * in_pass_[exchange] + added_[exchange]++;
        found_.passes.steps.push_back({exchange, static_cast<std::size_t>(number)});
        for (std::size_t rank = 0; rank != ranks_.size(); ++rank) {
            auto& r = ranks_[rank];
            auto const part = e.ranks.find(static_cast<int>(rank));
            found_.passes.passes.push_back(part == e.ranks.end() ? sonde::exchange_pass{} : pass_of(r, part->second));
            found_.passes.work_times.insert(found_.passes.work_times.end(), r.work.begin(), r.work.end());
            r.gap = std::max(r.gap - gap, 0.0);
            if (part == e.ranks.end()) continue;
            r.gap = 0;
            r.next = part->second.last + 1;
            r.end = r.own->clock.global(r.times->end[part->second.last][pass_]);
            std::fill(r.work.begin(), r.work.end(), sonde::seconds{});
        }
    }

    sonde::exchange_pass pass_of(rank_in_loop& r, exchange_part const& part) {
        sonde::seconds const entry{r.begin_of(part.first, pass_) - gaps_};
        sonde::seconds const exit{r.own->clock.global(r.times->end[part.last][pass_]) - gaps_};
        auto const sent = std::max(sonde::seconds{r.begin_of(part.sent, pass_) - gaps_}, r.left);
        r.left = exit;
        return {entry, exit, true, std::max(entry - sent, sonde::seconds{})};
    }

    /// Add what is before the next call of a rank.
    void reach(rank_in_loop& r) {
        auto const i = r.next;
        auto const think = r.times->think[i][pass_];
        auto const follows_others = i == 0 && pass_ != 0 && numbers_[pass_] != numbers_[pass_ - 1] + 1;
        auto const is_first = i == 0 && pass_ + found_.kept == numbers_.size();
        if ((r.calls[i].follows_gap || follows_others) && !is_first)
            r.gap += std::max(r.begin_of(i, pass_) - think - r.end, 0.0);
        if (r.works[i] != no_work) r.work[r.works[i]] += sonde::seconds{think};
    }
    /// The next call, which is in no exchange, is over.
    void pass_by(rank_in_loop& r) {
        reach(r);
        r.end = r.own->clock.global(r.times->end[r.next++][pass_]);
    }

    trace const& trace_;
    std::vector<std::uint64_t> numbers_; // of the kept passes
    std::vector<rank_in_loop> ranks_;
    std::map<std::pair<std::pair<std::string, std::string>, std::vector<std::vector<int>>>, std::size_t> known_;
    std::vector<std::size_t> exchange_of_;     // of each exchange of a pass
    std::vector<std::size_t> in_pass_, added_; // steps of each exchange in a pass, and so far
    std::size_t pass_ = 0;                     // kept one
    double gaps_ = 0;                          // taken out so far
    exchange_times found_;
};

} // namespace

exchange_times exchange_times_of(trace const& t, replay_phase const& loop) { return exchange_timing{t, loop}.found(); }

} // namespace tools::replay
