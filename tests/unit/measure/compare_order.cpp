// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// The order in which the alternatives take their samples.
std::vector<std::size_t> order_taken(std::size_t alternatives, std::size_t rounds) {
    one_rank a;
    std::vector<std::size_t> order;
    auto const visit = [&](std::size_t i, auto f) {
        auto pattern = [&, i] { order.push_back(i); };
        f(pattern);
    };
    (void)sonde::compare(a.group, a.plan(rounds), sonde::alternatives{alternatives, visit});
    return order;
}

/// The number of times that each alternative has each position in the rounds of one square.
std::vector<std::vector<int>> places(std::vector<std::size_t> const& order, std::size_t n, std::size_t square) {
    std::vector<std::vector<int>> counts(n, std::vector<int>(n));
    for (std::size_t i = 0; i != n * n; ++i) ++counts[order[square * n * n + i]][i % n];
    return counts;
}

long long sum_of_ns(std::vector<sonde::seconds> const& times) {
    long long sum = 0;
    for (auto const t : ns(times)) sum += t;
    return sum;
}

} // namespace

TEST_CASE("each of n alternatives has each position once in every n rounds") {
    for (std::size_t const n : {1u, 2u, 3u, 4u, 7u}) {
        CAPTURE(n);
        auto const order = order_taken(n, 10 * n);
        REQUIRE(order.size() == 10 * n * n);
        for (std::size_t square = 0; square != 10; ++square)
            CHECK(places(order, n, square) == std::vector<std::vector<int>>(n, std::vector<int>(n, 1)));
    }
}

TEST_CASE("two alternatives alternate as ABBA or BAAB, and both occur") {
    std::set<std::string> seen;
    std::string block;
    for (auto const i : order_taken(2, 40)) {
        block += i == 0 ? 'A' : 'B';
        if (block.size() == 4) seen.insert(block), block.clear();
    }
    CHECK(seen == std::set<std::string>{"ABBA", "BAAB"});
}

TEST_CASE("three alternatives occur in all cyclic orders, and in both directions") {
    std::set<std::vector<std::size_t>> seen;
    auto const order = order_taken(3, 300);
    for (std::size_t i = 0; i != order.size(); i += 3) seen.insert({order[i], order[i + 1], order[i + 2]});
    CHECK(seen.size() == 6);
}

TEST_CASE("rounds are taken in complete Latin squares: at least as many as the rule requests") {
    CHECK(order_taken(3, 100).size() == 3 * 102);
    CHECK(order_taken(3, 102).size() == 3 * 102);
    CHECK(order_taken(5, 1).size() == 5 * 5);
}

TEST_CASE("a steady slowdown costs each alternative the same") {
    for (std::size_t const n : {2u, 3u, 4u}) {
        CAPTURE(n);
        one_rank a;
        long samples = 0;
        auto const visit = [&](std::size_t, auto f) {
            auto pattern = [&] { a.clock.advance(1us + 10ns * samples++); };
            f(pattern);
        };
        auto const found = sonde::compare(a.group, a.plan(60), sonde::alternatives{n, visit});
        for (std::size_t i = 0; i != n; ++i) {
            CHECK(sum_of_ns(found.records[i].series) == sum_of_ns(found.records[0].series));
            CHECK(sonde::classify(found, i) == sonde::outcome::undecided);
        }
    }
}
