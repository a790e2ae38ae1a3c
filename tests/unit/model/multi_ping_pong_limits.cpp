// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::latency_form;
using sonde::model::multi_ping_pong;
using sonde::model::rate;

namespace {
constexpr double many = 1e9; // repetitions, so many that their number does not matter
constexpr double chunk = 1 << 19;
constexpr double link = 1.5e9;
constexpr auto both = {latency_form::published, latency_form::time_line};

/// A model with a latency of `a` bytes of the link.
multi_ping_pong of_latency(double a, latency_form form) {
    return {bytes{chunk}, rate{link}, bytes{a} / rate{link}, form};
}
/// The latency in bytes as the form counts it: 2 a in the published one, a in (4').
double counted(double a, latency_form form) { return form == latency_form::published ? 2 * a : a; }

double bandwidth(multi_ping_pong const& m, double x, double n = many) {
    return m.bandwidth(bytes{x}, n).count() / link;
}
/// Bandwidth without overlap, b = B_r / (1 + a / 2x).
double without_overlap(double a, double x) { return 1 / (1 + a / (2 * x)); }
} // namespace

TEST_CASE("below C, n repetitions take (2n + 1) x / B_r, and 4n - 1 or 2n latencies, for any n") {
    for (auto const form : both)
        for (auto const n : {1.0, 2.0, 10.0, 1000.0}) {
            auto const m = of_latency(4500, form);
            auto const latencies = form == latency_form::published ? 4 * n - 1 : 2 * n;
            auto const expected = (2 * n + 1) * 65536 / link + latencies * 3e-6;
            CHECK(relative_difference(m.time(65536, n).count(), expected) < 1e-14);
        }
}

TEST_CASE("up to C the bandwidth of many repetitions is 2 B_r / (1 + 2a / x), with (4') 2 B_r / (1 + a / x)") {
    for (auto const form : both)
        for (auto const x : {1e3, 65536.0, chunk})
            CHECK(relative_difference(bandwidth(of_latency(4500, form), x), 2 / (1 + counted(4500, form) / x)) < 1e-8);
}

TEST_CASE(
    "messages far below the latency in bytes: x / T_l published, with (4') twice that, as two independent pairs") {
    auto const a = 4500.0;
    auto const x = 1e-3;
    auto const latency_bound = x / (a / link) / link;
    CHECK(relative_difference(bandwidth(of_latency(a, latency_form::published), x), latency_bound) < 1e-6);
    CHECK(relative_difference(bandwidth(of_latency(a, latency_form::time_line), x), 2 * latency_bound) < 1e-6);
}

TEST_CASE("between latency and C both directions are full: 2 B_r, but for the first and last hop of n") {
    for (auto const form : both)
        for (auto const n : {1.0, 10.0, 1000.0})
            CHECK(relative_difference(bandwidth(of_latency(1e-3, form), 65536, n), 2 * 2 * n / (2 * n + 1)) < 1e-7);
}

TEST_CASE("above C the bandwidth of many repetitions is B_r x / (x - C/2 + a), with (4') a/2") {
    for (auto const form : both)
        for (auto const x : {chunk, 2 * chunk, 16 * chunk})
            CHECK(relative_difference(bandwidth(of_latency(4500, form), x),
                                      x / (x - chunk / 2 + counted(4500, form) / 2)) < 1e-8);
}

TEST_CASE("far above C the bandwidth is B_r (1 + (C/2 - a) / x), approached from above if C > 2a, or a with (4')") {
    auto const x = 1e4 * chunk;
    for (auto const form : both) {
        for (auto const a : {0.1 * chunk, 0.4 * chunk, 0.6 * chunk, 0.9 * chunk, 1.1 * chunk}) {
            auto const found = bandwidth(of_latency(a, form), x);
            CHECK(relative_difference(found, 1 + (chunk - counted(a, form)) / (2 * x)) < 1e-7);
            CHECK((found > 1) == (chunk > counted(a, form)));
        }
    }
}

TEST_CASE("no overlap is (4') with empty chunks: B_r / (1 + a / 2x)") {
    multi_ping_pong const none{bytes{0}, rate{link}, seconds{3e-6}};
    for (auto const x : {64.0, 65536.0, 1e7})
        CHECK(relative_difference(bandwidth(none, x, 7), without_overlap(4500, x)) < 1e-14);
}

TEST_CASE("a latency equal to a chunk's time saves nothing in the published form, and a chunk's time with (4')") {
    for (auto const x : {chunk, 3 * chunk, 100 * chunk}) { // at C = a, independent of x
        CHECK(relative_difference(bandwidth(of_latency(chunk, latency_form::published), x, 5),
                                  without_overlap(chunk, x)) < 1e-14);
        auto const saving = of_latency(chunk, latency_form::time_line);
        multi_ping_pong const none{bytes{0}, saving.link_rate, saving.latency};
        auto const saved = none.time(bytes{x}, 5) - saving.time(bytes{x}, 5);
        CHECK(relative_difference(saved.count(), 9 * chunk / link) < 1e-12);
    }
    auto const x = 1000.0; // a message below C: at T_l = T_p
    CHECK(relative_difference(bandwidth(of_latency(x, latency_form::published), x, 5), without_overlap(x, x)) < 1e-14);
}

TEST_CASE("for C <= 2a, with (4') a, the bandwidth rises to B_r and never above") {
    for (auto const form : both)
        for (auto const a : {chunk, 1.5 * chunk, 10 * chunk}) {
            auto const m = of_latency(form == latency_form::published ? a / 2 : a, form);
            auto before = 0.0;
            for (auto x = 16.0; x < 1e9; x *= 1.19) {
                auto const found = bandwidth(m, x);
                CHECK(found > before * (1 - 1e-12)); // constant for equality, above C
                CHECK(found <= 1 + 1e-8);
                before = found;
            }
        }
}

TEST_CASE("for larger C the maximum is at x = C, 2 B_r / (1 + 2a / C) or with (4') a, less about 1 / 2n") {
    for (auto const form : both) {
        auto const m = of_latency(4500, form);
        auto const at_chunk = bandwidth(m, chunk);
        CHECK(relative_difference(at_chunk, 2 / (1 + counted(4500, form) / chunk)) < 1e-8);
        for (auto x = 16.0; x < 1e9; x *= 1.19) CHECK(bandwidth(m, x) <= at_chunk);
        for (auto const x : {0.999 * chunk, 1.001 * chunk}) CHECK(bandwidth(m, x) < at_chunk);
        for (auto const n : {10.0, 100.0}) CHECK(std::fabs((1 - bandwidth(m, chunk, n) / at_chunk) * 2 * n - 1) < 0.1);
    }
}
