// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "imb/driver/imb_plan.hpp"

#include <chrono>
#include <cstddef>

namespace {

using namespace std::chrono_literals;
using imb::count_rules, imb::repetition_counts, imb::policy;

count_rules rules_of(auto... set) {
    count_rules rules;
    (set(rules), ...);
    return rules;
}

auto const nonaggregate = [](count_rules& r) { r.nonaggregate = true; };
auto const unsized = [](count_rules& r) { r.sized = false; };
auto const many_messages = [](count_rules& r) { r.iter.messages = 100'000; };
auto const of_4_gib = [](count_rules& r) { r.iter.volume = std::size_t{4096} << 20; };
auto const log_30 = [](count_rules& r) { r.max_log = 30; };
auto const off = [](count_rules& r) { r.by = policy::off; };
auto multiple(std::size_t ranks) {
    return [ranks](count_rules& r) { r.by = policy::multiple_np, r.ranks = ranks; };
}

TEST_CASE("the maximum count is the least of messages and volume, and with multiple_np a multiple of the processes") {
    constexpr std::size_t mib4 = 4'194'304, gib = std::size_t{1} << 30;
    struct row {
        count_rules rules;
        std::size_t bytes, maximum;
    };
    for (auto const& r : {row{{}, 0, 1000},
                          {{}, 41'943, 1000},
                          {{}, 41'944, 999}, // 40 MiB
                          {{}, 65'536, 640},
                          {{}, mib4, 10},
                          {{}, gib, 1},
                          {rules_of(nonaggregate), 0, 100},
                          {rules_of(nonaggregate), 524'288, 80},
                          {rules_of(unsized), mib4, 1000},
                          {rules_of(many_messages, of_4_gib), 1 << 20, 4096},
                          {rules_of(off, nonaggregate), mib4, 1000},
                          {rules_of(multiple(2)), mib4, 332},
                          {rules_of(multiple(2)), 0, 1000},
                          {rules_of(multiple(3)), mib4, 249},
                          {rules_of(multiple(5000)), 0, 5000},
                          {rules_of(multiple(1024)), mib4, 1024}, // 4 GiB: v = 1
                          {rules_of(multiple(512)), mib4, 512},
                          {rules_of(multiple(4), many_messages, log_30), gib, 20'000}}) {
        CAPTURE(r.bytes);
        CHECK(repetition_counts{r.rules}.maximum(r.bytes) == r.maximum);
    }
    CHECK_FALSE(repetition_counts{rules_of(off)}.estimates());
}

TEST_CASE("auto is multiple_np for rooted benchmarks and dynamic for others") {
    CHECK(imb::policy_of(policy::automatic, true) == policy::multiple_np);
    CHECK(imb::policy_of(policy::automatic, false) == policy::dynamic);
    CHECK(imb::policy_of(policy::off, true) == policy::off);
}

TEST_CASE("an estimate runs for about a second, with 1000 repetitions at most") {
    repetition_counts const c{{}};
    CHECK(c.estimation_run(0, 1us) == 1000);
    CHECK(c.estimation_run(0, 10ms) == 100);
    CHECK(c.estimation_run(0, 400ms) == 3); // 2.5 and a half
    CHECK(c.estimation_run(0, 1s) == 1);
    CHECK(c.estimation_run(0, 5s) == 1);
    CHECK(c.estimation_run(4'194'304, 1us) == 10);
}

TEST_CASE("file benchmarks run at most 50 repetitions for an estimate, as in IMB") {
    count_rules rules;
    rules.estimated = 50;
    CHECK(repetition_counts{rules}.estimation_run(0, 19ms) == 50);
    CHECK(repetition_counts{rules}.estimation_run(0, 100ms) == 10);
}

TEST_CASE("the count is one repetition more than fit into the time") {
    repetition_counts const c{{}};
    CHECK(c.within_time(0, 1us) == 1000);
    CHECK(c.within_time(0, 30ms) == 334);
    CHECK(c.within_time(0, 10s) == 2);
    CHECK(c.within_time(0, 100s) == 1);
    CHECK(c.within_time(4'194'304, 30ms) == 10);
}

TEST_CASE("a repetition shorter than the clock's tick gets the maximum count") {
    count_rules rules;
    rules.iter.messages = std::size_t{1} << 40;
    CHECK(repetition_counts{rules}.within_time(0, 5ns) == std::size_t{1} << 40);
    CHECK(repetition_counts{rules}.within_time(0, 0s) == std::size_t{1} << 40);
    rules.time = 100'000s;
    CHECK(repetition_counts{rules}.within_time(0, 20us) == std::size_t{1} << 40); // more than 31 bits count
}

TEST_CASE("with the default sizes counts never grow") {
    repetition_counts c{{}};
    c.add(0, 334);
    CHECK(c.within_time(1, 1us) == 334);
    c.add(1, 20);
    CHECK(c.within_time(2, 1us) == 20);
}

TEST_CASE("with a user's sizes a smaller size gets at least the count of a larger one") {
    count_rules rules;
    rules.users_sizes = true;
    repetition_counts c{rules};
    c.add(1024, 50);
    CHECK(c.within_time(16, 1s) == 50);    // 11 fit
    CHECK(c.within_time(1024, 1s) == 50);  // as large
    CHECK(c.within_time(2048, 1us) == 50); // larger: at most that
    CHECK(c.within_time(16, 10ms) == 1000);
}

TEST_CASE("a tenth of the repetitions are warm-up, or ten if there are that many") {
    CHECK(imb::warm_up_count(1) == 1);
    CHECK(imb::warm_up_count(10) == 10);
    CHECK(imb::warm_up_count(99) == 10);
    CHECK(imb::warm_up_count(1000) == 100);
}

TEST_CASE("the time-out is -time for each size but one") {
    imb::options asked;
    CHECK(imb::time_out(asked) == 210s);
    asked.max_log = 0;
    CHECK(imb::time_out(asked) == 10s);
    asked.sizes = {1, 2, 3};
    CHECK(imb::time_out(asked) == 20s);
}

} // namespace
