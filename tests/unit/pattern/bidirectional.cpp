// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// The record of exchanges of windows of n-byte messages between ranks 0 and 1.
template <class... Counted>
sonde::record measured(network_parameters net, std::size_t n, std::size_t window, role second, Counted... counted) {
    return on_ranks(2, net,
                    [&](process& self) {
                        std::vector<std::byte> out(n);
                        sonde::host_allocation in{(window + 1) * sonde::host_allocation::stride_of(n)};
                        auto group = self.group();
                        auto const who = self.rank() == 0 ? role::initiator : second;
                        sonde::bidirectional pattern{self.link(1 - self.rank()),
                                                     who,
                                                     window,
                                                     sonde::slice{out},
                                                     in.distinct_regions(n, std::max<std::size_t>(window, 1)),
                                                     counted...};
                        auto const plan = sonde::plan<>{}.until(sonde::samples{5}).timed_by(self.clock());
                        return sonde::run(group, plan, pattern);
                    })
        .front();
}

} // namespace

TEST_CASE("bidirectional: with a long latency, the last message limits") {
    // o + (W - 1) g until the last message leaves, (k - 1) G + L + o until it is received; W o of receiving overlap
    // with the flight.
    auto const r = measured({1us, 50us, 3us, 2ns}, 1001, 4, role::responder);
    CHECK(ns(r.series) == std::vector<long long>(5, 1000 + 3 * (2000 + 3000) + 2000 + 50'000 + 1000));
}

TEST_CASE("bidirectional: with a short latency, the processor limits: W sends, then W receives") {
    auto const r = measured({1us, 100ns, 0us, 0ns}, 1, 4, role::responder);
    CHECK(ns(r.series) == std::vector<long long>(5, 4 * 1000 + 4 * 1000));
}

TEST_CASE("bidirectional: an initiator with a responder counts both directions") {
    auto const r = measured({1us, 5us, 0us, 0ns}, 100, 4, role::responder);
    CHECK(r.total.bytes == 800);
    CHECK(r.total.messages == 8);
    CHECK(r.total.hops == 1);
    CHECK(r.initiators == 1);
}

TEST_CASE("bidirectional: two initiators count what each sent, together both directions") {
    auto const r = measured({1us, 5us, 0us, 0ns}, 100, 4, role::initiator, sonde::directions::sent);
    CHECK(r.total.bytes == 800);
    CHECK(r.total.messages == 8);
    CHECK(r.initiators == 2);
}

TEST_CASE("bidirectional: fewer receive regions than messages of a window are refused unless requested") {
    sonde::host_allocation const memory{4 * sonde::host_allocation::stride_of(100)};
    struct {
        void isend(sonde::region) {}
        void irecv(sonde::region) {}
        void wait_all() {}
    } nowhere;
    auto const made = [&](auto in, auto... how) {
        sonde::bidirectional{nowhere, role::initiator, 4, memory.first(100), in, sonde::directions::both, how...};
    };
    CHECK_THROWS_AS(made(memory.first(100)), std::invalid_argument);
    CHECK_THROWS_AS(made(memory.distinct_regions(100, 3)), std::invalid_argument);
    CHECK_NOTHROW(made(memory.distinct_regions(100, 4)));
    CHECK_NOTHROW(made(memory.first(100), sonde::overlapping_receives));
}

TEST_CASE("bidirectional: a depth of 0 is refused") {
    CHECK_THROWS_AS(measured({}, 1, 0, role::responder), std::invalid_argument);
}
