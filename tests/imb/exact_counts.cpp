// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "imb/driver/imb_plan.hpp"

#include <chrono>
#include <cstddef>

namespace {

using namespace std::chrono_literals;
using imb::count_rules, imb::repetition_counts, imb::policy;

count_rules with(policy by, std::size_t ranks = 2) {
    count_rules rules;
    rules.by = by;
    rules.ranks = ranks;
    return rules;
}

TEST_CASE("the maximum count is 1000, or 40 MiB over the size if that is less") {
    repetition_counts const c{{}};
    CHECK(c.maximum(0) == 1000);
    CHECK(c.maximum(41'943) == 1000);
    CHECK(c.maximum(41'944) == 999);
    CHECK(c.maximum(65'536) == 640);
    CHECK(c.maximum(4'194'304) == 10);
    CHECK(c.maximum(std::size_t{1} << 30) == 1);
}

TEST_CASE("non-aggregate benchmarks take the third field of -iter") {
    count_rules rules;
    rules.nonaggregate = true;
    CHECK(repetition_counts{rules}.maximum(0) == 100);
    CHECK(repetition_counts{rules}.maximum(524'288) == 80);
}

TEST_CASE("the volume does not limit benchmarks without sizes") {
    count_rules rules;
    rules.sized = false;
    CHECK(repetition_counts{rules}.maximum(4'194'304) == 1000);
}

TEST_CASE("a volume of 2 GiB and more has more than 32 bits") {
    count_rules rules;
    rules.iter.messages = 100'000;
    rules.iter.volume = std::size_t{4096} << 20;
    CHECK(repetition_counts{rules}.maximum(1 << 20) == 4096);
}

TEST_CASE("-iter_policy off gives all benchmarks the first field of -iter") {
    auto rules = with(policy::off);
    rules.nonaggregate = true;
    CHECK(repetition_counts{rules}.maximum(4'194'304) == 1000);
    CHECK_FALSE(repetition_counts{rules}.estimates());
}

TEST_CASE("multiple_np: a count is a multiple of the number of processes, at least one") {
    CHECK(repetition_counts{with(policy::multiple_np)}.maximum(4'194'304) == 332);
    CHECK(repetition_counts{with(policy::multiple_np)}.maximum(0) == 1000);
    CHECK(repetition_counts{with(policy::multiple_np, 3)}.maximum(4'194'304) == 249);
    CHECK(repetition_counts{with(policy::multiple_np, 5000)}.maximum(0) == 5000);
}

TEST_CASE("multiple_np: the bytes that all processes send may exceed 32 bits") {
    CHECK(repetition_counts{with(policy::multiple_np, 1024)}.maximum(4'194'304) == 1024); // 4 GiB: v = 1
    CHECK(repetition_counts{with(policy::multiple_np, 512)}.maximum(4'194'304) == 512);   // 2 GiB
    auto rules = with(policy::multiple_np, 4);
    rules.iter.messages = 100'000;
    rules.max_log = 30;
    CHECK(repetition_counts{rules}.maximum(std::size_t{1} << 30) == 20'000);
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
