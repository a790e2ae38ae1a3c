// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

TEST_CASE_FIXTURE(one_rank, "a batch costs two clock readings, for any number of iterations") {
    for (std::size_t const batch : {1u, 10u, 1000u}) {
        time.reads = 0;
        auto const r = sonde::run(group, plan(7).batch(batch), [&] { clock.advance(2us); });
        CHECK(time.reads == 2 * 7);
        CHECK(ns(r.series) == std::vector<long long>(7, 2000));
        CHECK(r.batch == batch);
    }
}

TEST_CASE_FIXTURE(one_rank, "times are of one iteration: a batch's mean") {
    int calls = 0;
    auto const r = sonde::run(group, plan(2).batch(3), [&] { clock.advance(++calls * 1us); });
    CHECK(ns(r.series) == std::vector<long long>{2000, 5000}); // (1 + 2 + 3) / 3, (4 + 5 + 6) / 3
    CHECK(calls == 6);
}

TEST_CASE_FIXTURE(one_rank, "warm-up iterations run and are not in the series") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3).warmup(5), [&] { clock.advance(++calls <= 5 ? 100us : 1us); });
    CHECK(calls == 5 + 3);
    CHECK(ns(r.series) == std::vector<long long>{1000, 1000, 1000});
    CHECK(ns(r.over_ranks.mean) == 1000);
}

TEST_CASE_FIXTURE(one_rank, "the first iteration of the warm-up is kept, for two more clock readings") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3).warmup(4).batch(10), [&] { clock.advance(++calls == 1 ? 50us : 1us); });
    CHECK(ns(r.first) == 50'000);
    CHECK(time.reads == 2 + 2 * 3);
    CHECK(calls == 4 + 30);
}

TEST_CASE_FIXTURE(one_rank, "without a warm-up the first iteration is the first sample, for no more clock readings") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3), [&] { clock.advance(++calls == 1 ? 50us : 1us); });
    CHECK(ns(r.first) == 50'000);
    CHECK(ns(r.series) == std::vector<long long>{50'000, 1000, 1000});
    CHECK(time.reads == 2 * 3);
}

TEST_CASE_FIXTURE(one_rank,
                  "without a warm-up the first iteration is the first that a batch by the timer is found with") {
    int calls = 0;
    time.properties = {{}, sonde::seconds{10ns}, {}}; // a batch of 1250 iterations of 1 ns
    auto const first = [&] { clock.advance(++calls == 1 ? 20ms : 1ns); };
    auto const r = sonde::run(group, plan(3).batch(sonde::by_timer), first);
    CHECK(ns(r.first) == 20'000'000);
    CHECK(r.batch == 1250);
}

TEST_CASE_FIXTURE(one_rank, "the first iteration has no time if it is one of a batch") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3).batch(10), [&] { clock.advance(++calls == 1 ? 20ms : 1us); });
    CHECK_FALSE(r.first);
    CHECK(calls == 30);
}

namespace {

/// An iteration starts an operation, which completion ends.
struct starting {
    sonde::sim::manual_clock clock;
    int* completed;

    void operator()() const { clock.advance(1us); }
    void complete() const {
        clock.advance(10us);
        ++*completed;
    }
};

} // namespace

TEST_CASE_FIXTURE(one_rank, "completion is inside the sample, once a batch") {
    int completed = 0;
    auto const r = sonde::run(group, plan(2).batch(5), starting{clock, &completed});
    CHECK(ns(r.series) == std::vector<long long>{3000, 3000}); // (5 + 10) / 5
    CHECK(completed == 2);
}

TEST_CASE_FIXTURE(one_rank, "every iteration of the warm-up is completed, the first inside its time") {
    int completed = 0;
    auto const r = sonde::run(group, plan(2).warmup(3), starting{clock, &completed});
    CHECK(completed == 3 + 2);
    CHECK(ns(r.first) == 11'000);
}

namespace {

/// A pattern that resolves its role once for many iterations.
struct in_its_role {
    sonde::sim::manual_clock clock;
    sonde::role who;
    int* lookups;

    void operator()() const { clock.advance(100us); } // not called by a batch
    template <class F>
    void in_role(F f) const {
        ++*lookups;
        if (who != role::idle) f([this] { clock.advance(2us); });
    }
    void complete() const { clock.advance(10us); }
};

} // namespace

TEST_CASE_FIXTURE(
    one_rank, "a pattern with iterations by role is asked for its role's iteration once a batch, inside the sample") {
    int lookups = 0;
    auto const r = sonde::run(group, plan(3).batch(5), in_its_role{clock, role::responder, &lookups});
    CHECK(ns(r.series) == std::vector<long long>{4000, 4000, 4000}); // (5 * 2 + 10) / 5
    CHECK(lookups == 3);
    CHECK(time.reads == 2 * 3);
}

TEST_CASE_FIXTURE(one_rank, "a pattern by reference is measured as itself: its role's iteration, once a batch") {
    int lookups = 0;
    sonde::named pattern{"by reference", in_its_role{clock, role::responder, &lookups}};
    sonde::pattern_ref<sonde::sim::manual_clock> const reference = pattern;
    auto const r = sonde::run(group, plan(3).batch(5), reference);
    CHECK(ns(r.series) == std::vector<long long>{4000, 4000, 4000}); // (5 * 2 + 10) / 5
    CHECK(lookups == 3);
    CHECK(time.reads == 2 * 3);
    CHECK(r.point.name == "by reference");
}

TEST_CASE_FIXTURE(one_rank, "patterns of different types in one vector, by reference, are compared as themselves") {
    int lookups = 0, completed = 0;
    in_its_role const in_role{clock, role::responder, &lookups};
    starting const completes{clock, &completed};
    std::vector<sonde::pattern_ref<sonde::sim::manual_clock>> const all{in_role, completes};
    auto const found = sonde::compare(group, plan(4).batch(5),
                                      sonde::alternatives{all.size(), [&](std::size_t i, auto f) { f(all[i]); }});
    CHECK(ns(found.records[0].series) == std::vector<long long>(4, 4000));
    CHECK(ns(found.records[1].series) == std::vector<long long>(4, 3000));
    CHECK(lookups == 4);
    CHECK(completed == 4);
}

TEST_CASE_FIXTURE(one_rank, "a rank without iterations of its role takes part: its batch is empty") {
    int lookups = 0;
    auto const r = sonde::run(group, plan(3).batch(5), in_its_role{clock, role::idle, &lookups});
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000}); // 10 / 5
    CHECK(lookups == 3);
}

TEST_CASE_FIXTURE(one_rank, "run rethrows a pattern's exception") {
    int calls = 0;
    auto const breaking = [&] {
        if (++calls == 3) throw std::runtime_error{"a broken wire"};
    };
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(5), breaking), "a broken wire", std::runtime_error);
    CHECK(calls == 3);
}

TEST_CASE_FIXTURE(one_rank, "a pattern passed as an lvalue is used, not copied: it keeps its state") {
    auto counter = [n = 0]() mutable { return ++n; };
    (void)sonde::run(group, plan(4), counter);
    CHECK(counter() == 5);
}

TEST_CASE_FIXTURE(one_rank,
                  "a series that is shorter than 40 of its autocorrelation times is flagged, also one of few samples") {
    auto const flagged = [&](std::size_t samples, auto time_of) {
        std::size_t i = 0;
        auto const pattern = [&] { clock.advance(time_of(i++)); };
        return sonde::run(group, plan(samples), pattern).flags.correlated;
    };
    for (std::size_t const samples : {20U, 40U, 41U, 100U}) {
        CHECK(flagged(samples, [](std::size_t i) { return (1000 + i) * 1ns; })); // a drift
        CHECK(!flagged(samples, [](std::size_t i) { return (1000 + i % 2) * 1ns; }));
        CHECK(!flagged(samples, [](std::size_t) { return 1us; }));
    }
}

namespace {

void does_nothing() {}

/// "halo bytes=8 link=ssend".
std::string shown_point(sonde::record const& r) {
    auto text = r.point.name;
    for (auto const& p : r.point.parameters) text += ' ' + p.name + '=' + p.text;
    return text;
}

std::string place_of_line(int line) { return "run.cpp:" + std::to_string(line); }

} // namespace

TEST_CASE_FIXTURE(one_rank, "run: a text is the name of the record, a list in braces a name and parameters") {
    auto const of = [&](auto&&... at) {
        return shown_point(sonde::run(
            group, plan(1), [] {}, at...));
    };
    std::size_t const n = 8;
    CHECK(of("halo") == "halo");
    CHECK(of(std::string{"halo"}) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo"})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {}})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {{"bytes", n}}})) == "halo bytes=8");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {{"link", "ssend"}}})) == "halo link=ssend");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"a", {{"b", "c"}, {"d", "e"}}})) == "a b=c d=e");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"", {{"bytes", n}}})) == " bytes=8");
}

TEST_CASE_FIXTURE(one_rank, "run: without a point, the name is the place of the call, file and line") {
    int const line = __LINE__ + 1;
    auto const by_lambda = sonde::run(group, plan(1), [] {});
    auto const by_function = sonde::run(group, plan(1), does_nothing);
    auto const on_lines = sonde::run(group, //
                                     plan(1), does_nothing);
    CHECK(shown_point(by_lambda) == place_of_line(line));
    CHECK(shown_point(by_function) == place_of_line(line + 1));
    CHECK(shown_point(on_lines) == place_of_line(line + 2));
}

TEST_CASE_FIXTURE(one_rank, "run: an empty name is no name, and the point of a named pattern comes before the place") {
    CHECK(shown_point(sonde::run(
              group, plan(1), [] {}, "")) == "");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {})) == "");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{"halo", [] {}})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{{"", {{"bytes", 8}}}, [] {}})) == " bytes=8");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{"halo", [] {}}, "own")) == "own");
}

TEST_CASE("run: ranks that make one call have one name") {
    int line = 0;
    auto const names = on_ranks(3, {}, [&](process& self) {
        auto group = self.group();
        working pattern{&self, role::initiator, {1us}};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{2}).timed_by(self.clock());
        if (self.rank() == 0) line = __LINE__ + 1;
        return sonde::run(group, plan, pattern).point.name;
    });
    CHECK(names == std::vector<std::string>(3, place_of_line(line)));
}
