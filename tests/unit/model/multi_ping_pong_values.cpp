// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::imb_repetitions;
using sonde::model::latency_form;
using sonde::model::multi_ping_pong;
using sonde::model::rate;

namespace {
multi_ping_pong small(double latency, latency_form form) { return {bytes{16}, rate{1}, seconds{latency}, form}; }

/// Equation (4), with the time saved by a turn-around subtracted.
double published_4(multi_ping_pong const& m, bytes x, double n) {
    auto const transfer = m.transfer_time(x).count();
    auto const latency = m.latency.count();
    return 2 * n * (2 * transfer + latency) - (2 * n - 1) * (transfer / m.chunks(x) - latency);
}

std::string text(char const* format, double value) {
    char line[32];
    std::snprintf(line, sizeof line, format, value);
    return line;
}
} // namespace

TEST_CASE("the published forms (4) and (5) give equal times, and (4') its own, in exact arithmetic") {
    struct row {
        double x, latency, n, published, time_line;
    };
    for (auto const& r : {row{8, 4, 5, 164, 128}, row{16, 1, 5, 195, 186}, row{64, 4, 1, 252, 248},
                          row{64, 16, 5, 1440, 1296}, row{256, 1, 5, 4995, 4986}}) {
        CAPTURE(r.x);
        auto const published = small(r.latency, latency_form::published);
        CHECK(published_4(published, bytes{r.x}, r.n) == r.published);
        CHECK(published.time(bytes{r.x}, r.n).count() == r.published);
        CHECK(small(r.latency, latency_form::time_line).time(bytes{r.x}, r.n).count() == r.time_line);
    }
}

TEST_CASE("times and bandwidths of both forms from 64 KiB to 8 MiB are those of the reference table, to its digits") {
    struct row {
        int x;
        double n;
        char const *published_us, *time_line_us, *published_mb, *time_line_mb;
    };
    multi_ping_pong const published{524288, rate{1.5e9}, seconds{3e-6}, latency_form::published};
    multi_ping_pong const time_line{524288, rate{1.5e9}, seconds{3e-6}, latency_form::time_line};
    for (auto const& r : {row{65536, 640, "63644.7", "59807.7", "2636.07", "2805.19"},
                          row{131072, 320, "59848.4", "57931.4", "2803.28", "2896.05"},
                          row{262144, 160, "58015.8", "57058.8", "2891.83", "2940.34"},
                          row{524288, 80, "57230.6", "56753.6", "2931.51", "2956.15"},
                          row{1048576, 40, "84712.6", "84475.6", "1980.49", "1986.04"},
                          row{2097152, 20, "98453.6", "98336.6", "1704.07", "1706.10"},
                          row{4194304, 10, "105324", "105267", "1592.91", "1593.78"},
                          row{8388608, 5, "108759", "108732", "1542.60", "1542.98"}}) {
        CAPTURE(r.x);
        auto const n = imb_repetitions(r.x);
        CHECK(n == r.n);
        CHECK(text("%.6g", 1e6 * published.time(r.x, n).count()) == r.published_us);
        CHECK(text("%.6g", 1e6 * time_line.time(r.x, n).count()) == r.time_line_us);
        CHECK(text("%.2f", 1e-6 * published.bandwidth(r.x, n).count()) == r.published_mb);
        CHECK(text("%.2f", 1e-6 * time_line.bandwidth(r.x, n).count()) == r.time_line_mb);
    }
}

TEST_CASE("a message below C is one chunk, one above it x / C, and at C both are equal") {
    auto const m = small(1, latency_form::time_line);
    CHECK(m.chunks(1) == 1);
    CHECK(m.chunks(16) == 1);
    CHECK(m.chunks(40) == 2.5);
}

TEST_CASE("repetitions of the Intel MPI Benchmarks are 1000, then 40 MiB over the size, at least 1") {
    CHECK(imb_repetitions(1) == 1000);
    CHECK(imb_repetitions(41943) == 1000);
    CHECK(imb_repetitions(41944) == 999);
    CHECK(imb_repetitions(65536) == 640);
    CHECK(imb_repetitions(4 << 20) == 10);
    CHECK(imb_repetitions(20 << 20) == 2);
    CHECK(imb_repetitions((20 << 20) + 1) == 1);
    CHECK(imb_repetitions(1 << 30) == 1);
}
