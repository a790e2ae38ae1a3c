// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/experiment.hpp"
#include "tools/model/measure/sampling.hpp"
#include "tools/records/units.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

using namespace tools::model;
using tools::read_sizes;

namespace {

std::vector<std::string> words_in(std::string const& line) {
    std::istringstream from{line};
    std::vector<std::string> words;
    for (std::string word; from >> word;) words.push_back(word);
    return words;
}

measure_options parsed(std::string const& line) { return parse_measure(words_in(line)); }

std::size_t batch(std::string const& line, std::size_t bytes) { return plan_of(parsed(line), bytes).batch_iterations; }

using counts = std::vector<std::size_t>;

} // namespace

TEST_CASE("each model has its own default measurement") {
    auto const one = parsed("--model hockney"), two = parsed("--model multi");
    CHECK(one.sizes.front() == 1);
    CHECK(one.sizes.back() == 4 << 20);
    CHECK(two.sizes.front() == 40 << 10); // above the change of protocols at 32 KiB
    CHECK(two.sizes.back() == 8 << 20);
    CHECK(two.start == pair_start::common);
    CHECK(parsed("--model loggp").sizes == read_sizes("1K:32K:1K", 1));
    CHECK(plan_of(one, 8).batch_by_timer);
    CHECK(plan_of(one, 8).warmup_until_stable);
}

TEST_CASE("a sample of two pairs is n(x) ping-pongs of the Intel MPI Benchmarks unless a number is given") {
    CHECK(batch("--model multi", 40000) == 1000);
    CHECK(batch("--model multi", 65536) == 640);
    CHECK(batch("--model multi", 4 << 20) == 10);
    CHECK(batch("--model multi", 21 << 20) == 1);
    CHECK(batch("--model hockney --iterations imb", 65536) == 640);
    CHECK(batch("--model multi --iterations 7", 65536) == 7);
    CHECK(plan_of(parsed("--model multi --iterations timer"), 65536).batch_by_timer);
}

TEST_CASE("a point ends after its samples, or else at its precision, or at the time limit with at least ten samples") {
    auto count = plan_of(parsed("--model hockney --samples 7 --warmup 3"), 8);
    CHECK(count.rule.uniform);
    CHECK(count.rule.next(0) == 7);
    CHECK(count.warmup_iterations == 3);
    std::vector<sonde::seconds> const seven(7);
    CHECK(count.rule({.block = seven, .samples = 7}).stop);
    auto time = plan_of(parsed("--model hockney --time 2"), 8);
    CHECK_FALSE(time.rule.uniform);
    std::vector<sonde::seconds> const nine(9), one(1), ten(10);
    CHECK_FALSE(time.rule({nine, sonde::seconds{3}, nine, 9}).stop);                               // too few
    CHECK(time.rule({one, sonde::seconds{3}, ten, 10}).reason == sonde::stop_reason::time_budget); // the tenth was late
    auto longer = plan_of(parsed("--model hockney --time 2"), 8);
    CHECK_FALSE(longer.rule({nine, sonde::seconds{1}, nine, 9}).stop);
    CHECK_FALSE(longer.rule({one, sonde::seconds{1.9}, ten, 10}).stop);
    std::vector<sonde::seconds> const two(2),
        twelve(12); // the budget is evaluated at 12, a quarter and a sample after 9
    CHECK(longer.rule({two, sonde::seconds{2}, twelve, 12}).reason == sonde::stop_reason::time_budget);
}

TEST_CASE("options without an effect are refused by their names") {
    struct wrong {
        char const* line;
        char const* option;
    };
    for (auto const& w : {
             wrong{"--model x", "--model 'x'"},
             {"--samples 3", "--model"},
             {"--model hockney --samples 0", "--samples '0'"},
             {"--model hockney --samples 2000000", "--samples"},
             {"--model hockney --start apart", "--start is of --model multi"},
             {"--model multi --pairs all", "--pairs is of --model max-rate"},
             {"--model hockney --messages 3", "--messages is of --model loggp"},
             {"--model loggp --messages 1", "--messages '1'"},
             {"--model max-rate --pairs some", "doubling, all"},
             {"--model multi --start later", "common, apart"},
             {"--model hockney --precision nan", "--precision 'nan'"},
             {"--model hockney --time 0", "--time '0'"},
             {"--model hockney --warmup -1", "--warmup '-1'"},
             {"--model hockney --per-octave 0", "--per-octave"},
             {"--model hockney --iterations 0", "--iterations '0'"},
             {"--model hockney --samples 3 --time 1", "--samples is instead of"},
             {"--model hockney --samples 3 --precision 0.1", "--samples is instead of"},
             {"--model hockney --sizes 4:1", "--sizes 4:1"},
         }) {
        CAPTURE(w.line);
        CHECK_THROWS_WITH_AS(parsed(w.line), doctest::Contains(w.option), std::exception);
    }
    CHECK_THROWS(parsed("--model hockney --none"));
    CHECK_THROWS(parsed("hockney"));
    CHECK(parsed("--help").answer.find("--precision X") != std::string::npos);
}

TEST_CASE("numbers of pairs double up to the maximum, or are all of them") {
    CHECK(pair_counts(0, false).empty());
    CHECK(pair_counts(1, false) == counts{1});
    CHECK(pair_counts(6, false) == counts{1, 2, 4, 6});
    CHECK(pair_counts(8, false) == counts{1, 2, 4, 8});
    CHECK(pair_counts(4, true) == counts{1, 2, 3, 4});
}

TEST_CASE("each size is measured with all numbers of pairs") {
    CHECK(measurement_points(parsed("--model max-rate --sizes 8,16"), 3) ==
          std::vector<measurement_point>{{8, 1}, {8, 2}, {8, 3}, {16, 1}, {16, 2}, {16, 3}});
    CHECK(measurement_points(parsed("--model multi --sizes 8,16"), 2) ==
          std::vector<measurement_point>{{8, 2}, {16, 2}});
    CHECK(measurement_points(parsed("--model loggp --sizes 8"), 1) == std::vector<measurement_point>{{8, 1}});
}

TEST_CASE("too few ranks are refused with the available numbers") {
    auto const two = parsed("--model multi --sizes 1M");
    CHECK_THROWS_WITH_AS(require_pairs(two, place_pairs({0, 0, 0}, 2), {3}),
                         "takes 4 ranks, all on one node, or half of them on rank 0's and half on another; "
                         "here: 3 on 1 node",
                         std::runtime_error);
    CHECK_THROWS_AS(require_pairs(two, place_pairs({0, 0, 0, 1}, 2), {3, 1}), std::runtime_error);
    CHECK_NOTHROW(require_pairs(two, place_pairs({0, 0, 1, 1}, 2), {2, 2}));
}

TEST_CASE("heading and closing text name the ranks, the start, and the limits of the model") {
    auto const two = parsed("--model multi");
    CHECK(heading(two, place_pairs({0, 0, 0, 0, 0}, 2), 5) ==
          "# Ping-pong of two pairs at once: ranks 0-2, 1-3 on one node\n"
          "# Both pairs are on one node: the model is of two nodes' link, and does not apply to what is measured.\n"
          "# Both pairs begin every sample together.\n"
          "# 1 rank is in no pair and sleeps.\n");
    CHECK(heading(parsed("--model multi --start apart"), place_pairs({0, 0, 1, 1}, 2), 4) ==
          "# Ping-pong of two pairs at once: ranks 0-2, 1-3 between two nodes\n"
          "# Pairs begin together only before the warm-up of a sample; its time is that of the sum of bandwidths.\n");
    CHECK(heading(parsed("--model hockney"), place_pairs({0, 0, 0, 0}, 1), 4) ==
          "# Ping-pong of one pair: ranks 0-1 on one node\n"
          "# 2 ranks are in no pair and sleep.\n");
    CHECK(closing(parsed("--model multi --out a.json")) == "then: sonde-model fit a.json\n");
    CHECK(closing(parsed("--model loggp --out a.json"), {{8, 1}, {8, 1}, {16, 1}}) ==
          "# Less precise than --precision 0.02 when their time was over: 8, 16 bytes\nthen: sonde-model fit a.json\n");
    CHECK(closing(parsed("--model max-rate --precision 0.1 --out a.json"), {{8, 2}}) ==
          "# Less precise than --precision 0.1 when their time was over: 8 by 2 (bytes by pairs)\n"
          "then: sonde-model fit a.json\n");
}

TEST_CASE("the time of two pairs is that of the sum of their bandwidths") {
    using sonde::seconds;
    CHECK(harmonic_mean(seconds{2}, seconds{2}) == seconds{2});
    CHECK(harmonic_mean(seconds{3}, seconds{2}) == seconds{1.5}); // 1 s and 3 s: 1 + 1/3 = 2 / 1.5
    sonde::record r;
    r.series = {seconds{3}, seconds{4}};
    r.sample_means = {seconds{2}, seconds{4}};
    add_bandwidths(r);
    CHECK(r.series == std::vector{seconds{1.5}, seconds{4}});
    CHECK(r.sample_means.empty());
}

namespace {

/// Notes its calls.
struct recording_group {
    std::string what;
    std::string* into;
    void barrier() const { *into += what; }
    void operator()() const { *into += what; }
};

} // namespace

TEST_CASE("the apart start is a barrier of all ranks, the warm-up and a barrier of the pair") {
    std::string done;
    recording_group all{"all ", &done}, pair{"pair", &done}, pattern{"warm ", &done};
    apart_start start{pattern, pair, 2};
    start(all, 0);
    CHECK(done == "all warm warm pair");
}
