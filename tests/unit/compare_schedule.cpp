// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/compare.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;

// What a rule is shown of a comparison, look by look.

namespace {

struct seen {
    std::vector<double> block, series;
    std::size_t samples;
    double resolution;
};

/// Looks as other rules do not: after 2, 4, 6 .. rounds. Content after so many.
struct notes {
    std::size_t enough;
    std::vector<seen>* all;

    std::size_t next(std::size_t) const { return 2; }
    sonde::decision operator()(sonde::progress const& l) {
        auto& one = all->emplace_back(seen{{}, {}, l.samples, l.resolution.count()});
        for (auto const t : l.block) one.block.push_back(t.count());
        for (auto const t : l.series) one.series.push_back(t.count());
        return {l.samples >= enough, sonde::stop_reason::other};
    }
};

using ratios = std::vector<double>;

/// 3 looks, at 2 rounds each, of which 3 are held.
std::vector<seen> looks_at(std::vector<std::vector<sonde::seconds>> blocks, sonde::seconds resolution) {
    std::vector<seen> all;
    sonde::detail::rule_per_alternative rule{notes{6, &all}, blocks, 3};
    for (std::size_t n = 2; n <= 6; n += 2) {
        CHECK(rule(sonde::progress{{}, {}, {}, n, resolution}).stop == (n == 6));
        for (auto& t : blocks.front()) t *= 2;
    }
    return all;
}

} // namespace

TEST_CASE("a rule is shown the ratios of all rounds so far, and how many rounds that is") {
    alone a;
    std::vector<seen> all;
    int later = 0;
    auto const base = [&] { a.clock.advance(4us); };
    auto const other = [&] { a.clock.advance(later++ < 2 ? 2us : 1us); };
    (void)sonde::compare(a.group, a.plan(1).until(notes{4, &all}), base, other);
    REQUIRE(all.size() == 2);
    CHECK(all[0].series == ratios{2, 2});
    CHECK(all[0].samples == 2);
    CHECK(all[1].block == ratios{4, 4});
    CHECK(all[1].series == ratios{2, 2, 4, 4});
    CHECK(all[1].samples == 4);
}

TEST_CASE("of a comparison whose records are full a rule is shown the rounds that they hold") {
    alone a;
    std::vector<seen> all;
    auto const base = [&] { a.clock.advance(4us); };
    auto const other = [&] { a.clock.advance(2us); };
    auto const found = sonde::compare(a.group, a.plan(1).keep({.samples = 3}).until(notes{6, &all}), base, other);
    REQUIRE(all.size() == 3);
    CHECK(all[2].series == ratios(found.records[0].series.size(), 2));
    CHECK(all[2].series.size() == 3);
    CHECK(all[2].block == ratios{2, 2});
    CHECK(all[2].samples == 6);
}

TEST_CASE("ratios are held up to as many as the records hold; each look's own are shown, and all rounds are counted") {
    auto const all =
        looks_at({{sonde::seconds{1}, sonde::seconds{2}}, {sonde::seconds{1}, sonde::seconds{1}}}, sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[1].block == ratios{2, 4});
    CHECK(all[1].series == ratios{1, 2, 2});
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].samples == 6);
    CHECK(all[2].resolution == 0);
}

TEST_CASE("of a base alone a rule is shown the times, held alike, and what the clock cannot tell apart in them") {
    auto const all = looks_at({{sonde::seconds{1}, sonde::seconds{2}}}, sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].resolution == 0.5);
}

TEST_CASE("a precision that the rounds in the records do not give ends a comparison when they are full") {
    std::vector<std::vector<sonde::seconds>> blocks(2);
    for (int i = 0; i != 30; ++i) {
        blocks[0].emplace_back(i % 3 == 0 ? 1.0 : 2.0);
        blocks[1].emplace_back(1);
    }
    sonde::detail::rule_per_alternative rule{sonde::relative_error{0.01}, blocks, 30};
    CHECK_FALSE(rule(sonde::progress{{}, {}, {}, 30, {}}).stop);
    auto const second = rule(sonde::progress{{}, {}, {}, 60, {}});
    CHECK(second.stop);
    CHECK(second.reason == sonde::stop_reason::samples);
}
