// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using namespace unit;

TEST_CASE_FIXTURE(alone, "a batch costs two clock reads, however many iterations it has") {
    for (std::size_t const batch : {1u, 10u, 1000u}) {
        time.reads = 0;
        auto const r = sonde::run(group, plan(7).batch(batch), [&] { clock.advance(2us); });
        CHECK(time.reads == 2 * 7);
        CHECK(ns(r.series) == std::vector<long long>(7, 2000));
        CHECK(r.batch == batch);
    }
}

TEST_CASE_FIXTURE(alone, "times are of one iteration: a batch's mean") {
    int calls = 0;
    auto const r = sonde::run(group, plan(2).batch(3), [&] { clock.advance(++calls * 1us); });
    CHECK(ns(r.series) == std::vector<long long>{2000, 5000}); // (1 + 2 + 3) / 3, (4 + 5 + 6) / 3
    CHECK(calls == 6);
}

TEST_CASE_FIXTURE(alone, "warm-up iterations are made and leave no trace in the series") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3).warmup(5), [&] { clock.advance(++calls <= 5 ? 100us : 1us); });
    CHECK(calls == 5 + 3);
    CHECK(ns(r.series) == std::vector<long long>{1000, 1000, 1000});
    CHECK(ns(r.over_ranks.mean) == 1000);
}

TEST_CASE_FIXTURE(alone, "the first iteration of the warm-up is kept, for two more clock reads") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3).warmup(4).batch(10), [&] { clock.advance(++calls == 1 ? 50us : 1us); });
    CHECK(ns(r.first) == 50'000);
    CHECK(time.reads == 2 + 2 * 3);
    CHECK(calls == 4 + 30);
}

TEST_CASE_FIXTURE(alone, "without a warm-up the first iteration is the first sample, for no more clock reads") {
    int calls = 0;
    auto const r = sonde::run(group, plan(3), [&] { clock.advance(++calls == 1 ? 50us : 1us); });
    CHECK(ns(r.first) == 50'000);
    CHECK(ns(r.series) == std::vector<long long>{50'000, 1000, 1000});
    CHECK(time.reads == 2 * 3);
}

namespace {

/// An iteration only starts something, which completion ends.
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

TEST_CASE_FIXTURE(alone, "completion is inside the sample, once a batch") {
    int completed = 0;
    auto const r = sonde::run(group, plan(2).batch(5), starting{clock, &completed});
    CHECK(ns(r.series) == std::vector<long long>{3000, 3000}); // (5 + 10) / 5
    CHECK(completed == 2);
}

TEST_CASE_FIXTURE(alone, "every iteration of the warm-up is completed, the first inside its time") {
    int completed = 0;
    auto const r = sonde::run(group, plan(2).warmup(3), starting{clock, &completed});
    CHECK(completed == 3 + 2);
    CHECK(ns(r.first) == 11'000);
}

namespace {

/// Looks up its role once for many iterations.
struct in_its_role {
    sonde::sim::manual_clock clock;
    role who;
    int* look_ups;

    void operator()() const { clock.advance(100us); } // not what a batch calls
    template <class F>
    void in_role(F f) const {
        ++*look_ups;
        if (who != role::idle) f([this] { clock.advance(2us); });
    }
    void complete() const { clock.advance(10us); }
};

} // namespace

TEST_CASE_FIXTURE(alone,
                  "a pattern that has iterations of its role is asked for them once a batch, inside the sample") {
    int look_ups = 0;
    auto const r = sonde::run(group, plan(3).batch(5), in_its_role{clock, role::responder, &look_ups});
    CHECK(ns(r.series) == std::vector<long long>{4000, 4000, 4000}); // (5 * 2 + 10) / 5
    CHECK(look_ups == 3);
    CHECK(time.reads == 2 * 3);
}

TEST_CASE_FIXTURE(alone, "a rank without iterations of its role takes part: its batch is empty") {
    int look_ups = 0;
    auto const r = sonde::run(group, plan(3).batch(5), in_its_role{clock, role::idle, &look_ups});
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000}); // 10 / 5
    CHECK(look_ups == 3);
}

TEST_CASE_FIXTURE(alone, "what a pattern throws comes out of run") {
    int calls = 0;
    auto const breaking = [&] {
        if (++calls == 3) throw std::runtime_error{"a broken wire"};
    };
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(5), breaking), "a broken wire", std::runtime_error);
    CHECK(calls == 3);
}

TEST_CASE_FIXTURE(alone, "a pattern that is passed by name is used, not copied: what it learned stays") {
    auto counter = [n = 0]() mutable { return ++n; };
    (void)sonde::run(group, plan(4), counter);
    CHECK(counter() == 5);
}
