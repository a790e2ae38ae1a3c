// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;
using sonde::outcome;

namespace {

auto plan_of(std::size_t rounds) { return sonde::plan<>{}.warmup(1).until(sonde::samples{rounds}); }

/// A rank's work with a fixed time in each iteration, and its role.
struct work {
    process* self;
    std::chrono::nanoseconds takes;
    sonde::role who = sonde::role::initiator;

    void operator()() const { self->work(takes); }
    sonde::role role() const { return who; }
    sonde::traffic traffic() const { return {.bytes = 8}; }
};

/// Stops when an alternative's last ratio is at least `ratio`, and notes all blocks.
struct stops_at_ratio {
    double ratio;
    std::vector<std::vector<double>>* shown;

    std::size_t next(std::size_t) const { return 2; }
    sonde::decision operator()(sonde::progress const& l) {
        shown->emplace_back();
        for (auto const t : l.block) shown->back().push_back(t.count());
        return {l.block.back().count() >= ratio, sonde::stop_reason::other};
    }
};

/// Results of comparisons, in a form that can be compared.
struct finding {
    std::vector<std::vector<long long>> series;
    std::vector<outcome> outcomes;
    std::size_t use;
    bool operator==(finding const&) const = default;
};

} // namespace

TEST_CASE("an alternative's time in a round is its slowest rank's") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const root = self.rank() == 0;
        work const base{&self, root ? 5us : 1us}, other{&self, root ? 1us : 4us};
        return sonde::compare(group, plan_of(12).timed_by(self.clock()), base, other);
    });
    for (auto const& found : all) {
        CHECK(ns(found.records[0].series) == std::vector<long long>(12, 5000));
        CHECK(ns(found.records[1].series) == std::vector<long long>(12, 4000));
        CHECK(std::llround(1000 * sonde::speedup(found, 1)) == 1250);
        CHECK(sonde::fastest(found) == 1);
    }
}

TEST_CASE("a rank that does not count in one alternative may count in another") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const root = self.rank() == 0;
        work const base{&self, root ? 9us : 2us};
        work const served{&self, root ? 9us : 4us, root ? role::responder : role::initiator};
        return sonde::compare(group, plan_of(8).timed_by(self.clock()), base, served);
    });
    for (auto const& found : all) {
        CHECK(ns(found.records[0].series) == std::vector<long long>(8, 9000));
        CHECK(ns(found.records[1].series) == std::vector<long long>(8, 4000));
        CHECK(found.records[0].initiators == 2);
        CHECK(found.records[1].initiators == 1);
    }
}

TEST_CASE("each alternative has a record like that of a run") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const plan = plan_of(6).batch(4).keep({.sample_means = true, .rank_means = true}).timed_by(self.clock());
        auto const rank = self.rank();
        return sonde::compare(group, plan, work{&self, 1us * (1 + rank)}, work{&self, 3us});
    });
    for (auto const& found : all) {
        auto const& r = found.records[0];
        CHECK(ns(r.series) == std::vector<long long>(6, 2000));
        CHECK(ns(r.sample_means) == std::vector<long long>(6, 1500));
        CHECK(ns(r.rank_means) == std::vector<long long>{1000, 2000});
        CHECK(ns(r.over_ranks.mean) == 1500);
        CHECK(ns(r.first) == 2000);
        CHECK(r.batch == 4);
        CHECK(r.ranks == 2);
        CHECK(r.total.bytes == 16);
        CHECK(r.stop.samples == 6);
        CHECK(r.stop.reason == sonde::stop_reason::samples);
        CHECK(ns(found.records[1].series) == std::vector<long long>(6, 3000));
    }
}

TEST_CASE("all ranks get equal results, also if their times differ and one rank's clock ends the budget") {
    auto const all = on_ranks(4, {1us, 1us, 0us, 0us}, [](process& self) {
        auto group = self.group();
        auto const rank = self.rank();
        working base{&self, role::initiator, {1us * (5 + rank), 7us - 1us * rank, 6us}};
        working other{&self, role::initiator, {5us, 4us + 1us * (rank % 2)}};
        work const third{&self, 6us};
        auto const plan = plan_of(1).until(sonde::time_budget{10ms}).timed_by(self.clock());
        auto const found = sonde::compare(group, plan, base, other, third);
        finding mine{{}, {}, sonde::fastest(found)};
        for (std::size_t i = 0; i != 3; ++i) {
            mine.series.push_back(ns(found.records[i].series));
            mine.outcomes.push_back(sonde::classify(found, i));
        }
        return mine;
    });
    for (auto const& one : all) CHECK(one == all.front());
    CHECK(all.front().outcomes == std::vector{outcome::undecided, outcome::faster, outcome::faster});
    CHECK(all.front().use == 1);
}

TEST_CASE("the rule evaluates each alternative's ratios until it is satisfied with each") {
    one_rank a;
    std::vector<std::vector<double>> shown;
    int later = 0;
    auto const base = [&] { a.clock.advance(4us); };
    auto const twice = [&] { a.clock.advance(2us); };
    auto const improving = [&] { a.clock.advance(later++ < 5 ? 8us : 1us); };
    auto const plan = a.plan(1).until(stops_at_ratio{2, &shown});
    auto const found = sonde::compare(a.group, plan, base, twice, improving);
    CHECK(shown.size() == 3);
    CHECK(shown[0] == std::vector<double>{2, 2, 2});
    CHECK(shown[1] == std::vector<double>{0.5, 0.5, 0.5});
    CHECK(shown[2] == std::vector<double>{0.5, 0.5, 4});
    CHECK(found.records[0].stop.reason == sonde::stop_reason::other);
    CHECK(found.records[0].stop.samples == 6);
}

TEST_CASE("a single alternative is measured, and the rule evaluates its times") {
    one_rank a;
    std::vector<std::vector<double>> shown;
    auto const only = [&] { a.clock.advance(4us); };
    auto const found = sonde::compare(a.group, a.plan(1).until(stops_at_ratio{4e-6, &shown}), only);
    CHECK(shown == std::vector<std::vector<double>>{{4e-6, 4e-6}});
    CHECK(ns(found.records.at(0).series) == std::vector<long long>{4000, 4000});
    CHECK(sonde::classify(found, 0) == outcome::undecided);
    CHECK(sonde::fastest(found) == 0);
    CHECK(sonde::fastest(a.group, a.plan(3), only) == 0);
}

TEST_CASE(
    "ranks synchronize before each sample, and the number of reductions does not depend on the number of rounds") {
    auto const of_rounds = [](std::size_t rounds) {
        one_rank a;
        auto const step = [&] { a.clock.advance(1us); };
        (void)sonde::compare(a.group, a.plan(rounds).synchronized(sonde::barrier_once{}), step, step, step);
        return a.group;
    };
    CHECK(of_rounds(30).barriers == 30 * 3);
    CHECK(of_rounds(300).reductions == of_rounds(30).reductions);
    CHECK(of_rounds(31).reductions == of_rounds(30).reductions);
    CHECK(of_rounds(300).broadcasts == of_rounds(30).broadcasts);
}

TEST_CASE("each alternative runs its planned warm-up before the first round") {
    one_rank a;
    std::string order;
    auto const base = [&] { order += 'a', a.clock.advance(1us); };
    auto const other = [&] { order += 'b', a.clock.advance(1us); };
    (void)sonde::compare(a.group, a.plan(2).warmup(3), base, other);
    CHECK(order.substr(0, 6) == "aaabbb");
    CHECK(order.size() == 6 + 2 * 2);
}

TEST_CASE("an alternative's state lasts from the warm-up to its last round") {
    one_rank a;
    struct counting {
        one_rank* on;
        int* last;
        int own = 0;
        void operator()() { *last = ++own, on->clock.advance(1us); }
    };
    int iterations[2] = {};
    (void)sonde::compare(a.group, a.plan(8).warmup(3).batch(2), counting{&a, &iterations[0]},
                         counting{&a, &iterations[1]});
    CHECK(iterations[0] == 3 + 8 * 2);
    CHECK(iterations[1] == 3 + 8 * 2);
}

TEST_CASE("an alternative's exception is rethrown, in the warm-up and in a round") {
    one_rank a;
    auto const fine = [&] { a.clock.advance(1us); };
    auto const fails_at = [](int iteration) {
        return [i = 0, iteration]() mutable {
            if (++i == iteration) throw std::runtime_error{"the fifth wheel came off"};
        };
    };
    CHECK_THROWS_WITH(sonde::compare(a.group, a.plan(4).warmup(1), fine, fails_at(1)), "the fifth wheel came off");
    CHECK_THROWS_WITH(sonde::compare(a.group, a.plan(4).warmup(1), fine, fails_at(4)), "the fifth wheel came off");
}

TEST_CASE("no alternatives and invalid plans are refused on all ranks") {
    sonde::sim::world{2, {}}.run([](process& self) {
        auto group = self.group();
        auto const compare = [&](auto plan, std::size_t alternatives) {
            auto const visit = [&](std::size_t, auto f) {
                work pattern{&self, 1us};
                f(pattern);
            };
            (void)sonde::compare(group, plan, sonde::alternatives{alternatives, visit});
        };
        auto const rank = static_cast<std::size_t>(self.rank());
        auto const plan = plan_of(3).timed_by(self.clock());
        CHECK_THROWS_AS(compare(plan, 0), std::invalid_argument);
        CHECK_THROWS_AS(compare(plan.until(sonde::samples{3 + rank}), 2), std::invalid_argument);
        CHECK_THROWS_AS(compare(plan.until(sonde::samples{0}), 2), std::invalid_argument);
    });
}

TEST_CASE("the records of named alternatives have their names, or their points; others have none") {
    one_rank one;
    auto const work = [] {};
    sonde::point const at{"third", {{"bytes", 8}}};
    auto const found =
        sonde::compare(one.group, one.plan(4), work, sonde::named{"second", work}, sonde::named{at, work});
    REQUIRE(found.records.size() == 3);
    CHECK(found.records[0].point.name.empty());
    CHECK(found.records[1].point.name == "second");
    CHECK(found.records[1].point.parameters.empty());
    CHECK(found.records[2].point.name == "third");
    REQUIRE(found.records[2].point.parameters.size() == 1);
    CHECK(found.records[2].point.parameters[0].text == "8");
}

TEST_CASE("a name is kept by adaptors, and by run where no point is given") {
    one_rank one;
    auto const work = [] {};
    sonde::with_traffic moved{{.bytes = 8}, sonde::named{"inner", work}};
    CHECK(sonde::compare(one.group, one.plan(2), moved).records[0].point.name == "inner");
    CHECK(sonde::run(one.group, one.plan(1), moved).point.name == "inner");
    CHECK(sonde::run(one.group, one.plan(1), moved, {"outer", {}}).point.name == "outer");
}

TEST_CASE("a named alternative keeps the role and the traffic of its pattern, which may be a reference") {
    on_ranks(1, {}, [](process& self) {
        work base{&self, 3us, role::responder};
        sonde::named<work&> const one{"base", base};
        CHECK(one.role() == role::responder);
        CHECK(one.traffic().bytes == 8);
        return 0;
    });
}

TEST_CASE("a speed-up wins in the application what the transfer takes of the loop, with the ends of its interval") {
    CHECK(sonde::gain_in_application(1.25, 0.1) == doctest::Approx(0.02));
    CHECK(sonde::gain_in_application(0.5, 0.1) == doctest::Approx(-0.1));
    CHECK(sonde::gain_in_application(1, 0.1) == 0);
    CHECK(sonde::gain_in_application(0, 0.1) == 0); // without times
    sonde::comparison found{std::vector<sonde::record>(3)};
    for (auto& r : found.records) r.series.assign(40, sonde::seconds{8e-6});
    for (std::size_t i = 0; i != 40; ++i) found.records[1].series[i] = sonde::seconds{i % 2 == 0 ? 2e-6 : 4e-6};
    CHECK(!gain_in_application(found, 1));
    // [application]
    found.application = {"halo", sonde::seconds{3}, sonde::seconds{6}, sonde::seconds{30}}; // transfer, waiting, loop
    auto const gain = gain_in_application(found, 1);
    // [/application]
    REQUIRE(gain);
    CHECK(gain->low == doctest::Approx(0.1 * (1 - 1 / 2.0)));
    CHECK(gain->value == doctest::Approx(0.1 * (1 - 1 / std::sqrt(8.0))));
    CHECK(gain->high == doctest::Approx(0.1 * (1 - 1 / 4.0)));
    CHECK(!gain_in_application(found, 0)); // the base
    CHECK(gain_in_application(found, 2)->value == 0);
    CHECK_THROWS_AS((void)gain_in_application(found, 3), std::out_of_range);
    found.application->loop = {};
    CHECK(!gain_in_application(found, 1));
    found.application->loop = sonde::seconds{30};
    found.records[1].series.resize(5);
    found.records[0].series.resize(5);
    CHECK(!gain_in_application(found, 1)); // too few rounds
}
