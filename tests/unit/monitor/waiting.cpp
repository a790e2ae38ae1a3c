// SPDX-License-Identifier: BSL-1.0
#include "../stat/coverage_series.hpp"

#include <sonde/monitor/waiting.hpp>
#include <sonde/probe.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace {

using sonde::seconds;

/// A loop of ranks that work and then exchange with all ranks, or with `partners` of each rank.
class simulated_loop {
public:
    explicit simulated_loop(std::size_t ranks, std::vector<std::vector<int>> partners = {})
        : partners_{std::move(partners)}, now_(ranks) {
        partners_.resize(ranks);
        for (std::size_t r = 0; r != ranks; ++r)
            pages.push_back(
                {.rank = static_cast<int>(r),
                 .scopes = {{.name = "work", .kind = sonde::scope_kind::work},
                            {.name = "halo", .kind = sonde::scope_kind::exchange, .partners = partners_[r]}}});
    }
    void step(std::vector<double> const& work, double transfer = 1) {
        std::vector<double> entries;
        for (std::size_t r = 0; r != now_.size(); ++r) {
            add(r, 0, now_[r], work[r]);
            entries.push_back(now_[r] + work[r]);
        }
        for (std::size_t r = 0; r != now_.size(); ++r) {
            auto last = entries[r];
            for (std::size_t other = 0; other != now_.size(); ++other)
                if (is_partner(r, static_cast<int>(other))) last = std::max(last, entries[other]);
            now_[r] = last + transfer;
            add(r, 1, entries[r], now_[r] - entries[r]);
        }
        ++steps_;
    }

    std::vector<sonde::rank_counters> pages;

private:
    bool is_partner(std::size_t rank, int other) const {
        auto const& all = partners_[rank];
        return all.empty() || std::find(all.begin(), all.end(), other) != all.end();
    }
    void add(std::size_t rank, std::size_t scope, double begin, double length) {
        auto& kept = pages[rank].passes;
        if (kept.size() == sonde::live_passes::kept) kept.erase(kept.begin());
        kept.push_back({scope, steps_, seconds{begin}, seconds{length}});
    }

    std::vector<std::vector<int>> partners_;
    std::vector<double> now_;
    std::uint64_t steps_ = 0;
};

double waiting(sonde::waiting_watch const& watch, int rank) {
    auto const* const found = watch.of("halo", rank);
    return found == nullptr ? -1 : found->waiting.count();
}

} // namespace

TEST_CASE("monitor: a pass is examined once, when all ranks have ended it, from the second one on") {
    simulated_loop loop{3};
    sonde::waiting_watch watch{seconds{10}, 0.01};
    loop.step({5, 1, 1});
    watch.update(loop.pages);
    CHECK(waiting(watch, 1) == -1); // the work before the first pass is unknown
    loop.step({1, 1, 3});
    watch.update(loop.pages);
    watch.update(loop.pages);
    for (auto const rank : {0, 1}) CHECK(waiting(watch, rank) == 2);
    CHECK(waiting(watch, 2) == 0);
    CHECK(watch.of("halo", 0)->examined == seconds{3});
    CHECK(watch.caused().at(2) == seconds{4});
    CHECK(watch.caused().at(0) == seconds{});
    auto const before = loop.pages[1];
    loop.step({2, 1, 1});
    auto behind = loop.pages;
    behind[1] = before; // is still in the pass
    watch.update(behind);
    CHECK(waiting(watch, 2) == 0);
    watch.update(loop.pages);
    CHECK(waiting(watch, 2) == 1);
    CHECK(watch.caused().at(0) == seconds{2});
    CHECK(watch.late().empty());
}

TEST_CASE("monitor: a rank of another node is no partner, and waiting for it is transfer") {
    simulated_loop loop{3, {{1}, {0, 2}, {1}}};
    for (int i = 0; i != 3; ++i) loop.step({1, 1, 5});
    auto const& all = loop.pages;
    sonde::waiting_watch node{seconds{10}, 0.01}, whole{seconds{10}, 0.01};
    node.update({all[0], all[1]});
    whole.update(all);
    CHECK(waiting(node, 1) < waiting(whole, 1));
    CHECK(waiting(whole, 1) == 8);
    CHECK(node.caused().at(0) == seconds{});
    sonde::waiting_watch alone{seconds{10}, 0.01};
    alone.update({all[1]});
    CHECK(alone.of("halo", 1) == nullptr);
}

TEST_CASE("monitor: passes that are not kept are left out, and the others keep their numbers") {
    simulated_loop loop{2};
    sonde::waiting_watch watch{seconds{10}, 0.01};
    for (int i = 0; i != 5000; ++i) loop.step({1, 2});
    watch.update(loop.pages);
    CHECK(waiting(watch, 0) == 511);
    CHECK(watch.of("halo", 0)->examined == seconds{2 * 511});
}

TEST_CASE("monitor: a rank that is late in every tenth pass is named, and ranks of equal work are not") {
    coverage::engine bits{1};
    auto const work = [&] { return 1 + 0.05 * std::fabs(coverage::normal(bits)); };
    sonde::waiting_watch late{seconds{10}, 0.01}, healthy{seconds{10}, 0.01};
    simulated_loop with{4}, without{4};
    std::size_t named = 0;
    for (int i = 0; i != 2000; ++i) {
        std::vector<double> const works{work(), work(), work(), work()};
        without.step(works, 0.1);
        with.step({works[0], works[1], works[2] + (i % 10 == 9 ? 1 : 0), works[3]}, 0.1);
        if (i % 60 != 59) continue; // an interval
        healthy.update(without.pages);
        named += healthy.late().size();
        late.update(with.pages);
        if (i < 1000) continue;
        REQUIRE(late.late().size() == 1);
        CHECK(late.late()[0].rank == 2);
        CHECK(late.late()[0].exchange == "halo");
        CHECK(std::fabs(late.late()[0].lateness.count() - 1) < 0.1);
    }
    CHECK(named == 0);
    CHECK(late.caused().at(2) > 5 * late.caused().at(1));
}

TEST_CASE("monitor: a table keeps the latest passes of exchanges and of work of the first probe") {
    sonde::scope_table table;
    sonde::probe probe, other;
    probe.publish_in(table);
    other.publish_in(table);
    auto &part = probe.scope("step"), &work = part.work("work"), &halo = part.exchange("halo", {.partners{7, 8}}),
         &ignored = other.exchange("other");
    auto const pass = [](sonde::probe_scope& scope) { auto const entered = scope.enter(); };
    for (int i = 0; i != 600; ++i) {
        for (auto* const scope : {&part, &work, &work, &halo, &ignored}) pass(*scope);
    }
    auto const found = sonde::detail::read_counters(table);
    REQUIRE(found.scopes.size() == 4);
    CHECK(found.scopes[2].partners == std::vector<int>{7, 8});
    REQUIRE(found.passes.size() == sonde::live_passes::kept - 1); // the oldest one may be replaced now
    CHECK(found.passes.back().number == 599);
    CHECK(found.scopes[found.passes.back().scope].name == "step/halo");
    CHECK(found.scopes[found.passes.front().scope].name == "step/halo"); // of 1200, the first one of the last 1023
    CHECK(found.passes.front().number == 88);
    CHECK(found.passes[1].begin + found.passes[1].length <= found.passes[2].begin);
}

TEST_CASE("monitor: who reads the latest passes while their thread goes on sees whole passes only") {
    sonde::scope_table table;
    std::thread passes{[&table] {
        sonde::probe probe;
        probe.publish_in(table);
        auto& halo = probe.exchange("halo");
        for (int i = 0; i != 50'000; ++i) auto const pass = halo.enter();
    }};
    std::uint64_t last = 0;
    while (last != 49'999) {
        auto const found = sonde::detail::read_counters(table).passes;
        for (std::size_t i = 1; i < found.size(); ++i) {
            REQUIRE(found[i].number == found[i - 1].number + 1);
            REQUIRE(found[i].begin >= found[i - 1].begin + found[i - 1].length);
        }
        if (!found.empty()) last = found.back().number;
    }
    passes.join();
}

TEST_CASE("monitor: a rank that is late for a moment is not named") {
    simulated_loop loop{2};
    sonde::waiting_watch watch{seconds{10}, 0.01};
    for (int i = 0; i != 20; ++i) {
        for (int k = 0; k != 600; ++k) loop.step({1, i / 6 % 2 == 0 ? 2. : 1.});
        watch.update(loop.pages);
        CHECK(watch.late().empty());
    }
}
