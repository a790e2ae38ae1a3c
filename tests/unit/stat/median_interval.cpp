// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

struct ranks {
    long long low, high;
    bool operator==(ranks const&) const = default;
};
std::ostream& operator<<(std::ostream& out, ranks r) { return out << r.low << ".." << r.high; }

/// n times 1, 2 ... n s: a time is its own rank.
std::vector<sonde::seconds> numbered(std::size_t n) {
    std::vector<sonde::seconds> times;
    for (std::size_t i = n; i != 0; --i) times.emplace_back(static_cast<double>(i));
    return times;
}

std::optional<ranks> found(std::size_t n, double q, double confidence) {
    auto const i = sonde::quantile_interval(numbered(n), q, confidence);
    if (!i) return std::nullopt;
    return ranks{ns(i->low) / 1'000'000'000, ns(i->high) / 1'000'000'000};
}

/// The same from the definition: sums of the binomial probabilities, by their recurrence from k = 0, in long double.
ranks defined(std::size_t n, long double q, long double confidence) {
    std::vector<long double> p(n + 1);
    p[0] = 1;
    for (std::size_t i = 0; i != n; ++i) p[0] *= 1 - q;
    for (std::size_t i = 0; i != n; ++i)
        p[i + 1] = p[i] * static_cast<long double>(n - i) / static_cast<long double>(i + 1) * q / (1 - q);
    auto const tail = (1 - confidence) / 2;
    ranks r{0, static_cast<long long>(n) + 1};
    long double below = 0, above = 0;
    for (std::size_t l = 1; l <= n && (below += p[l - 1]) <= tail; ++l) r.low = static_cast<long long>(l);
    for (std::size_t u = n; u >= 1 && (above += p[u]) <= tail; --u) r.high = static_cast<long long>(u);
    return r;
}

void check_smallest(std::size_t n, double confidence) {
    CAPTURE(confidence);
    CHECK_FALSE(found(n - 1, 0.5, confidence).has_value());
    CHECK(found(n, 0.5, confidence) == ranks{1, static_cast<long long>(n)});
}

} // namespace

TEST_CASE("the interval of the median needs 5, 6, 8, 11 times for 90, 95, 99, 99.9 %") {
    check_smallest(5, 0.90);
    check_smallest(6, 0.95);
    check_smallest(8, 0.99);
    check_smallest(11, 0.999);
    CHECK_FALSE(sonde::median_interval(numbered(0)).has_value());
}

TEST_CASE("the ranks of the interval of the median at 95 % are those of the tables") {
    CHECK(found(10, 0.5, 0.95) == ranks{2, 9});
    CHECK(found(20, 0.5, 0.95) == ranks{6, 15});
    CHECK(found(30, 0.5, 0.95) == ranks{10, 21});
    CHECK(found(50, 0.5, 0.95) == ranks{18, 33});
    CHECK(found(100, 0.5, 0.95) == ranks{40, 61});
}

TEST_CASE("the ranks are those of the definition, for any number, quantile and confidence") {
    for (double const confidence : {0.90, 0.95, 0.99, 0.999})
        for (double const q : {0.1, 0.5, 0.9, 0.99})
            for (std::size_t const n : {1u, 2u, 7u, 29u, 30u, 100u, 333u, 999u, 1000u, 1024u, 1025u}) {
                CAPTURE(confidence);
                CAPTURE(q);
                CAPTURE(n);
                auto const want = defined(n, q, confidence);
                auto const none = want.low < 1 || want.high > static_cast<long long>(n);
                CHECK(found(n, q, confidence) == (none ? std::nullopt : std::optional{want}));
            }
}

TEST_CASE("the requested confidence is used for many times too: 1000 and 1025 at 99 %") {
    CHECK(found(1000, 0.5, 0.95) == ranks{469, 532});
    CHECK(found(1000, 0.5, 0.99) == ranks{459, 542});
    CHECK(found(1025, 0.5, 0.99) == defined(1025, 0.5L, 0.99L));
}

TEST_CASE("a million times neither underflow nor overflow: within a rank of the normal approximation") {
    auto const r = found(1'000'000, 0.5, 0.95).value(); // 500,000 -+ 1.96 * 500, and one above
    CHECK(r.low >= 499'019);
    CHECK(r.low <= 499'021);
    CHECK(r.low + r.high == 1'000'001);
}

TEST_CASE("the interval of the median is that of quantile 0.5, at 95 % by default") {
    auto const i = sonde::median_interval(numbered(10));
    REQUIRE(i.has_value());
    CHECK(ns(i->low) == 2'000'000'000);
    CHECK(ns(i->high) == 9'000'000'000);
    CHECK(ns(sonde::median_interval(numbered(10), 0.99)->low) == 1'000'000'000);
}

TEST_CASE("the interval of a quantile far from the middle is empty if its wider ranks leave the times on one side") {
    // At 90 % of 100 times the ranks are 84 and 96; twice as far from the middle, they would be 78 and 102.
    CHECK(found(100, 0.9, 0.95) == ranks{84, 96});
    CHECK_FALSE(sonde::quantile_interval(numbered(100), 0.9, 0.95, 4).has_value());
    CHECK_FALSE(sonde::quantile_interval(numbered(100), 0.1, 0.95, 4).has_value());
    CHECK(sonde::quantile_interval(numbered(1000), 0.9, 0.95, 4).has_value());
}

TEST_CASE("an interval of the minimum or the maximum, or of confidence 1, is refused") {
    CHECK_THROWS_AS(found(10, 0, 0.95), std::invalid_argument);
    CHECK_THROWS_AS(found(10, 1, 0.95), std::invalid_argument);
    CHECK_THROWS_AS(found(10, -0.1, 0.95), std::invalid_argument);
    CHECK_THROWS_AS(found(10, 0.5, 1), std::invalid_argument);
    CHECK_THROWS_AS(found(10, 0.5, 0), std::invalid_argument);
}
