// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;

// Arguments of a comparison's rule, evaluation by evaluation.

namespace {

struct evaluation {
    std::vector<double> block, series;
    std::size_t samples;
    double resolution;
};

/// A rule with another schedule than the library's: after 2, 4, 6 .. rounds. It stops after `enough` rounds.
struct recording_rule {
    std::size_t enough;
    std::vector<evaluation>* all;

    std::size_t next(std::size_t) const { return 2; }
    sonde::decision operator()(sonde::progress const& l) {
        auto& one = all->emplace_back(evaluation{{}, {}, l.samples, l.resolution.count()});
        for (auto const t : l.block) one.block.push_back(t.count());
        for (auto const t : l.series) one.series.push_back(t.count());
        return {l.samples >= enough, sonde::stop_reason::other};
    }
};

using ratios = std::vector<double>;

/// Alternatives with these times since the previous evaluation.
std::vector<sonde::detail::measurement> with_blocks(std::vector<std::vector<sonde::seconds>> const& blocks) {
    std::vector<sonde::detail::measurement> measured(blocks.size());
    for (std::size_t i = 0; i != blocks.size(); ++i) measured[i].block.slowest = blocks[i];
    return measured;
}

/// 3 evaluations, each after 2 rounds, of which 3 are kept.
std::vector<evaluation> evaluations_of(std::vector<std::vector<sonde::seconds>> const& blocks,
                                       sonde::seconds resolution) {
    std::vector<evaluation> all;
    auto measured = with_blocks(blocks);
    sonde::detail::rule_per_alternative rule{recording_rule{6, &all}, measured, 3};
    for (std::size_t n = 2; n <= 6; n += 2) {
        for (auto& one : measured) // as `add_block` does
            for (auto const t : one.block.slowest)
                if (one.found.series.size() != 3) one.found.series.push_back(t);
        CHECK(rule(sonde::progress{{}, {}, {}, n, resolution}).stop == (n == 6));
        for (auto& t : measured.front().block.slowest) t *= 2;
    }
    return all;
}

} // namespace

TEST_CASE("a rule evaluates the ratios of all rounds so far, and their number") {
    one_rank a;
    std::vector<evaluation> all;
    int later = 0;
    auto const base = [&] { a.clock.advance(4us); };
    auto const other = [&] { a.clock.advance(later++ < 2 ? 2us : 1us); };
    (void)sonde::compare(a.group, a.plan(1).until(recording_rule{4, &all}), base, other);
    REQUIRE(all.size() == 2);
    CHECK(all[0].series == ratios{2, 2});
    CHECK(all[0].samples == 2);
    CHECK(all[1].block == ratios{4, 4});
    CHECK(all[1].series == ratios{2, 2, 4, 4});
    CHECK(all[1].samples == 4);
}

TEST_CASE("after the records of a comparison are full, a rule evaluates the rounds that they hold") {
    one_rank a;
    std::vector<evaluation> all;
    auto const base = [&] { a.clock.advance(4us); };
    auto const other = [&] { a.clock.advance(2us); };
    auto const found =
        sonde::compare(a.group, a.plan(1).keep({.samples = 3}).until(recording_rule{6, &all}), base, other);
    REQUIRE(all.size() == 3);
    CHECK(all[2].series == ratios(found.records[0].series.size(), 2));
    CHECK(all[2].series.size() == 3);
    CHECK(all[2].block == ratios{2, 2});
    CHECK(all[2].samples == 6);
}

TEST_CASE("kept ratios are limited by the records' capacity; a block has all new ones, and all rounds are counted") {
    auto const all = evaluations_of({{sonde::seconds{1}, sonde::seconds{2}}, {sonde::seconds{1}, sonde::seconds{1}}},
                                    sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[1].block == ratios{2, 4});
    CHECK(all[1].series == ratios{1, 2, 2});
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].samples == 6);
    CHECK(all[2].resolution == 1.5); // by the medians: 0.5 of 2, and 0.5 of 1, of a ratio of 2
}

TEST_CASE("a latest round that was preempted does not make the ratios coarse") {
    one_rank a;
    a.time.properties.resolution = 10ns;
    std::vector<evaluation> all;
    int i = 0;
    auto const base = [&] { a.clock.advance(i++ == 3 ? 8ms : 1us); };
    auto const other = [&] { a.clock.advance(1us); };
    (void)sonde::compare(a.group, a.plan(1).until(recording_rule{4, &all}), base, other);
    REQUIRE(all.size() == 2);
    CHECK(all[1].block[1] > 7999);
    CHECK(all[1].resolution == all[0].resolution); // 1 % of each time
}

TEST_CASE("for a base alone a rule evaluates the times, kept alike, and their clock resolution") {
    auto const all = evaluations_of({{sonde::seconds{1}, sonde::seconds{2}}}, sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].resolution == 0.5);
}

TEST_CASE("a precision that the kept rounds do not reach ends a comparison when the records are full") {
    std::vector<std::vector<sonde::seconds>> blocks(2);
    for (int i = 0; i != 30; ++i) {
        blocks[0].emplace_back(i % 3 == 0 ? 1.0 : 2.0);
        blocks[1].emplace_back(1);
    }
    auto measured = with_blocks(blocks);
    for (auto& one : measured) one.found.series = one.block.slowest;
    sonde::detail::rule_per_alternative rule{sonde::relative_error{0.01}, measured, 30};
    CHECK_FALSE(rule(sonde::progress{{}, {}, {}, 30, {}}).stop);
    auto const second = rule(sonde::progress{{}, {}, {}, 60, {}});
    CHECK(second.stop);
    CHECK(second.reason == sonde::stop_reason::samples);
}
