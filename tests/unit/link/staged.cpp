// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace unit;

namespace {

constexpr network_parameters network{1us, 5us, 0us, 2ns}; // o, L, g, G

/// The texts of two ranks after an iteration of the pattern that `make(staging_rank&)` makes.
template <class Make>
std::vector<events> events_of(std::size_t window, Make make) {
    return on_ranks(2, network, [&](process& self) {
        staging_rank rank{self, 4, window};
        auto pattern = make(rank);
        pattern();
        return rank.log;
    });
}

/// Times on rank 0 of messages of n bytes.
template <class Make>
std::vector<long long> times_of(std::size_t n, std::size_t window, Make make) {
    return on_ranks(2, network,
                    [&](process& self) {
                        staging_rank rank{self, n, window};
                        auto group = self.group();
                        auto const plan = sonde::plan<>{}.batch(2).until(sonde::samples{5}).timed_by(self.clock());
                        return ns(sonde::run(group, plan, make(rank)).series);
                    })
        .front();
}

auto there_and_back(staging_rank& rank) {
    return sonde::ping_pong{rank.link(), rank.who, rank.sent(), rank.received()};
}
auto one_way(staging_rank& rank) {
    return sonde::stream{rank.link(),
                         rank.who,
                         rank.window,
                         rank.sent(),
                         rank.received(),
                         rank.self->link(1 - rank.self->rank(), 1),
                         sonde::slice{rank.token}};
}
auto both_ways(staging_rank& rank) {
    return sonde::bidirectional{rank.link(), rank.who, rank.window, rank.sent(), rank.received()};
}

} // namespace

TEST_CASE("staged: a round trip copies to the host before each send and to the device after each receive") {
    auto const found = events_of(1, there_and_back);
    CHECK(found[0] == events{"read 1", "send 1", "recv", "write 11"});
    CHECK(found[1] == events{"recv", "write 1", "read 11", "send 11"});
}

TEST_CASE("staged: each message of a window is sent as soon as it is copied; all are received before the first copy") {
    auto const found = events_of(3, one_way);
    CHECK(found[0] == events{"read 1", "isend 1", "read 2", "isend 2", "read 3", "isend 3", "wait_all"});
    CHECK(found[1] == events{"irecv", "irecv", "irecv", "wait_all", "write 1", "write 2", "write 3"});
}

TEST_CASE("staged: a bidirectional exchange copies as it sends, and again after all receives") {
    auto const found = events_of(2, both_ways);
    CHECK(found[0] ==
          events{"irecv", "irecv", "read 1", "isend 1", "read 2", "isend 2", "wait_all", "write 11", "write 12"});
    CHECK(found[1] ==
          events{"irecv", "irecv", "read 11", "isend 11", "read 12", "isend 12", "wait_all", "write 1", "write 2"});
}

TEST_CASE("staged: a round trip takes a copy, the transfer and a copy, each way") {
    CHECK(times_of(1, 1, there_and_back) == std::vector<long long>(5, 2 * (700 + 1000 + 5000 + 1000 + 900)));
    CHECK(times_of(101, 1, there_and_back) == std::vector<long long>(5, 2 * (700 + 1000 + 200 + 5000 + 1000 + 900)));
}

TEST_CASE("staged: a window takes its copies, its transfers and its copies, then the token") {
    // Messages follow each other by copy and overhead, which includes the overhead of receiving all but the last.
    constexpr auto expected = 4 * (700 + 1000) + 5000 + 1000 + 4 * 900 + (1000 + 5000 + 1000);
    CHECK(times_of(1, 4, one_way) == std::vector<long long>(5, expected));
}

TEST_CASE("staged: an exchange of windows takes the copies of both directions") {
    constexpr auto expected = 3 * (700 + 1000) + 5000 + 1000 + 3 * 900;
    CHECK(times_of(1, 3, both_ways) == std::vector<long long>(5, expected));
}
