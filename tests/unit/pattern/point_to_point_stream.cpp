// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

struct nowhere {
    void isend(sonde::region) {}
    void irecv(sonde::region) {}
    void wait_all() {}
    void send(sonde::region) {}
    void recv(sonde::region) {}
};

/// The record of windows of n-byte messages from rank 0 to rank 1, which answers with a token of one byte.
sonde::record streamed(network_parameters net, std::size_t n, std::size_t window, std::size_t batch = 1) {
    return on_ranks(2, net,
                    [&](process& self) {
                        std::vector<std::byte> out(n), token(1);
                        sonde::host_allocation in{(window + 1) * sonde::host_allocation::stride_of(n)};
                        auto group = self.group();
                        auto const pair = sonde::pair_of(self.rank(), 1);
                        sonde::stream pattern{self.link(pair.peer),
                                              pair.role,
                                              window,
                                              sonde::slice{out},
                                              in.distinct_regions(n, std::max<std::size_t>(window, 1)),
                                              self.link(pair.peer, 1),
                                              sonde::slice{token}};
                        auto const plan = sonde::plan<>{}.batch(batch).until(sonde::samples{5}).timed_by(self.clock());
                        return sonde::run(group, plan, pattern);
                    })
        .front();
}

// o + (W - 1) spacing + (k - 1) G + L + o until the responder has all messages, o + L + o until the token arrives.
constexpr long long expected(long long window, long long spacing, long long bytes_after_first) {
    return 1000 + (window - 1) * spacing + bytes_after_first + 5000 + 1000 + (1000 + 5000 + 1000);
}

} // namespace

TEST_CASE("stream: if the processor is the limit, messages follow each other by the overhead") {
    CHECK(ns(streamed({1us, 5us, 0us, 0ns}, 1, 4).series) == std::vector<long long>(5, expected(4, 1000, 0)));
}

TEST_CASE("stream: if the network interface is the limit, messages follow each other by the gap") {
    CHECK(ns(streamed({1us, 5us, 3us, 0ns}, 1, 4).series) == std::vector<long long>(5, expected(4, 3000, 0)));
}

TEST_CASE("stream: if the bytes are the limit, messages follow each other by their bytes and the gap") {
    CHECK(ns(streamed({1us, 5us, 3us, 4ns}, 1001, 4).series) == std::vector<long long>(5, expected(4, 7000, 4000)));
}

TEST_CASE("stream: a depth of 1 is a message and its token") {
    CHECK(ns(streamed({1us, 5us, 3us, 0ns}, 1, 1).series) == std::vector<long long>(5, expected(1, 0, 0)));
}

TEST_CASE("stream: windows do not overlap, because a token ends each") {
    CHECK(ns(streamed({1us, 5us, 3us, 0ns}, 1, 4, 50).over_ranks.mean) == expected(4, 3000, 0));
}

TEST_CASE("stream: the initiator counts all messages of its window") {
    auto const r = streamed({1us, 5us, 3us, 0ns}, 100, 4);
    CHECK(r.total.bytes == 400);
    CHECK(r.total.messages == 4);
    CHECK(r.total.hops == 1);
    CHECK(r.initiators == 1);
}

TEST_CASE("stream: fewer receive regions than messages of a window are refused unless requested") {
    std::vector<std::byte> token(1);
    sonde::host_allocation const memory{4 * sonde::host_allocation::stride_of(100)};
    auto const made = [&](role who, std::size_t window, auto in, auto... how) {
        sonde::stream{nowhere{}, who, window, memory.first(100), in, nowhere{}, sonde::slice{token}, how...};
    };
    for (auto const who : {role::initiator, role::responder, role::idle}) {
        CHECK_THROWS_WITH_AS(
            made(who, 4, memory.first(100)),
            doctest::Contains("4 messages are received together, and the buffer has 1 region for them"),
            std::invalid_argument);
        CHECK_THROWS_AS(made(who, 4, memory.distinct_regions(100, 3)), std::invalid_argument);
        CHECK_NOTHROW(made(who, 4, memory.distinct_regions(100, 4)));
        CHECK_NOTHROW(made(who, 4, memory.first(0))); // no bytes, no overlap
        CHECK_NOTHROW(made(who, 1, memory.first(100)));
        CHECK_NOTHROW(made(who, 4, memory.first(100), sonde::overlapping_receives));
    }
}

TEST_CASE("stream: a depth of 0 is refused") { CHECK_THROWS_AS(streamed({}, 1, 0), std::invalid_argument); }
