// SPDX-License-Identifier: BSL-1.0
// Random numbers, layouts, counts and figures of IMB-P2P, without MPI.
#include "imb/p2p/p2p.hpp"
#include "imb/p2p/communication.hpp"
#include "imb/p2p/p2p_benchmarks.hpp"
#include "imb/p2p/transport.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

using namespace imb::p2p;

TEST_CASE("the random generator's first numbers are the suite's") {
    random_generator random;
    for (auto const expected : {1184965489U, 1778132755U, 2078363206U, 1878360418U, 4214996071U})
        CHECK(random() == expected);
}

TEST_CASE("random pairs are those of the suite, each of two different ranks") {
    auto const drawn = [](int ranks, int n) {
        random_generator random;
        std::vector<std::array<int, 2>> all;
        for (int i = 0; i != n; ++i) {
            random_pair const pair{random, ranks};
            all.push_back({pair.first, pair.second});
        }
        return all;
    };
    using pairs = std::vector<std::array<int, 2>>;
    CHECK(drawn(4, 8) == pairs{{1, 3}, {2, 3}, {2, 3}, {3, 0}, {0, 1}, {3, 0}, {0, 2}, {0, 2}});
    CHECK(drawn(3, 6) == pairs{{1, 0}, {1, 2}, {0, 1}, {0, 2}, {2, 0}, {2, 0}});
}

TEST_CASE("each shuffle of a ring starts from the previous order") {
    random_generator random;
    random_ring ring{4};
    for (auto const& expected : std::vector<std::vector<int>>{{1, 3, 0, 2}, {2, 0, 1, 3}, {0, 1, 2, 3}}) {
        ring.shuffle(random);
        for (std::size_t i = 0; i != 4; ++i) {
            CHECK(ring.neighbor(expected[i], 1) == expected[(i + 1) % 4]);
            CHECK(ring.neighbor(expected[i], -1) == expected[(i + 3) % 4]);
        }
    }
}

TEST_CASE("4 to 64 ranks are laid out in a plane as the suite does, or not at all") {
    std::map<int, std::array<int, 2>> const planes{
        {4, {2, 2}},   {6, {2, 3}},   {8, {4, 2}},   {9, {3, 3}},   {10, {5, 2}},  {12, {3, 4}},  {14, {7, 2}},
        {15, {5, 3}},  {16, {4, 4}},  {18, {6, 3}},  {20, {4, 5}},  {21, {7, 3}},  {22, {11, 2}}, {24, {6, 4}},
        {25, {5, 5}},  {26, {13, 2}}, {27, {9, 3}},  {28, {7, 4}},  {30, {5, 6}},  {32, {8, 4}},  {33, {11, 3}},
        {34, {17, 2}}, {35, {7, 5}},  {36, {6, 6}},  {38, {19, 2}}, {39, {13, 3}}, {40, {8, 5}},  {42, {6, 7}},
        {44, {11, 4}}, {45, {9, 5}},  {46, {23, 2}}, {48, {8, 6}},  {49, {7, 7}},  {50, {10, 5}}, {51, {17, 3}},
        {52, {13, 4}}, {54, {9, 6}},  {55, {11, 5}}, {56, {7, 8}},  {57, {19, 3}}, {58, {29, 2}}, {60, {10, 6}},
        {62, {31, 2}}, {63, {9, 7}},  {64, {8, 8}}};
    for (int ranks = 1; ranks != 65; ++ranks) {
        CAPTURE(ranks);
        auto const expected = planes.find(ranks);
        REQUIRE(fits_plane(ranks) == (expected != planes.end()));
        if (expected == planes.end()) continue;
        CHECK(plane_of(ranks).x == expected->second[0]);
        CHECK(plane_of(ranks).y == expected->second[1]);
    }
}

TEST_CASE("4 to 64 ranks are laid out in space as the suite does, or not at all") {
    std::map<int, std::array<int, 3>> const spaces{
        {8, {2, 2, 2}},  {12, {2, 3, 2}},  {16, {4, 2, 2}}, {18, {3, 3, 2}}, {20, {5, 2, 2}}, {24, {3, 4, 2}},
        {27, {3, 3, 3}}, {28, {7, 2, 2}},  {30, {5, 3, 2}}, {32, {4, 4, 2}}, {36, {3, 4, 3}}, {40, {4, 5, 2}},
        {42, {7, 3, 2}}, {44, {11, 2, 2}}, {45, {5, 3, 3}}, {48, {4, 4, 3}}, {50, {5, 5, 2}}, {52, {13, 2, 2}},
        {54, {6, 3, 3}}, {56, {7, 4, 2}},  {60, {4, 5, 3}}, {63, {7, 3, 3}}, {64, {4, 4, 4}}};
    for (int ranks = 1; ranks != 65; ++ranks) {
        CAPTURE(ranks);
        auto const expected = spaces.find(ranks);
        REQUIRE(fits_space(ranks) == (expected != spaces.end()));
        if (expected == spaces.end()) continue;
        auto const found = space_of(ranks);
        CHECK(std::array{found.x, found.y, found.z} == expected->second);
    }
}

TEST_CASE("a grid is periodic, x first, and is printed from its longest dimension to x") {
    grid const plane{3, 2, 1};
    CHECK(plane.text() == "2 x 3");
    CHECK(plane.neighbors(0) == std::vector{2, 1, 3, 3});
    CHECK(plane.neighbors(5) == std::vector{4, 3, 2, 2});
    grid const space{2, 3, 4};
    CHECK(space.text() == "4 x 3 x 2");
    CHECK(space.neighbors(0) == std::vector{1, 1, 4, 2, 18, 6});
    CHECK(space.neighbors(23) == std::vector{22, 22, 21, 19, 17, 5});
}

TEST_CASE("the number of repetitions moves the volume, rounded to the nearest, and is from one to the limit") {
    imb::iterations const usual{.messages = 100'000, .volume = std::size_t{800} << 20};
    CHECK(repetitions_of(usual, 0) == 100'000);
    CHECK(repetitions_of(usual, 8192) == 100'000);
    CHECK(repetitions_of(usual, 16384) == 51'200);
    CHECK(repetitions_of(usual, 4194304) == 200);
    CHECK(repetitions_of(usual, std::size_t{1} << 40) == 1);
    imb::iterations const few{.messages = 4, .volume = 10};
    CHECK(repetitions_of(few, 4) == 3); // 2.5
    CHECK(repetitions_of(few, 5) == 2);
    CHECK(repetitions_of(few, 7) == 1); // 1.43
    CHECK(repetitions_of(few, 1) == 4);
}

TEST_CASE("a tenth of the repetitions are warm-up, at least one if there are several") {
    CHECK(warm_up_of(1) == 0);
    CHECK(warm_up_of(2) == 1);
    CHECK(warm_up_of(19) == 1);
    CHECK(warm_up_of(100'000) == 10'000);
}

TEST_CASE("one byte of every cache line is written before a send, and none with -msgwr off") {
    std::vector<std::byte> message(130);
    touches{.writes = false}.before_send(message, std::byte{7});
    CHECK(message == std::vector<std::byte>(130));
    touches{}.before_send(message, std::byte{7});
    for (std::size_t i = 0; i != message.size(); ++i) CHECK(message[i] == std::byte(i % 64 == 0 ? 7 : 0));
    auto const before = message;
    touches{}.after_receive(message);
    CHECK(message == before);
}

TEST_CASE("contents hold the bytes that touching writes, and differ by rank and by place") {
    for (std::size_t i = 0; i < 300; i += 64) CHECK(content(3, i) == mark_of(3));
    for (std::size_t i = 1; i != 64; ++i) {
        CHECK(content(0, i) != content(1, i));
        if (i != 1) CHECK(content(0, i) != content(0, i - 1));
    }
}

TEST_CASE("a line shows a rank's time of a message, and the messages of all ranks by the slowest one") {
    sonde::record r;
    r.ranks = 4;
    r.over_ranks = {sonde::seconds{0.25}, sonde::seconds{0.5}, sonde::seconds{1}};
    r.total = {4 * 2 * 1'000'000, 4 * 2, 1}; // each sends two of 10^6 bytes
    CHECK(figures_of(r).microseconds == 250'000);
    CHECK(figures_of(r).megabytes == 8);
    CHECK(figures_of(r).messages == 8);
    r.total = {4 * 1'000'000, 4, 2}; // each sends one, alternately
    CHECK(figures_of(r).microseconds == 250'000);
    CHECK(figures_of(r).megabytes == 4);
    CHECK(figures_of(r).messages == 4);
}

// Senders and receivers of IMB-P2P, with a simulated message log.

namespace {

using route = std::pair<int, int>; // from, to

/// Logs the messages of one rank.
struct message_log {
    int me;
    std::vector<route> sent{};
    std::vector<route> received{};
    int completed = 0;

    void send(int to) { sent.emplace_back(me, to); }
    void recv(int from) { received.emplace_back(from, me); }
    void sendrecv(int to, int from) {
        send(to);
        recv(from);
    }
    void exchange(std::vector<int> const& ranks) {
        for (auto const r : ranks) sendrecv(r, r);
    }
    void sendrecv_replace(int to, int from) { sendrecv(to, from); }
    void complete() { ++completed; }
};

struct totals {
    std::map<route, int> sent;
    std::map<route, int> received;
    std::size_t messages = 0;
};

/// The messages of all ranks in some repetitions.
template <class Make>
totals after(int repetitions, int ranks, Make make) {
    totals found;
    for (int rank = 0; rank != ranks; ++rank) {
        message_log transport{rank};
        auto communication = make(rank);
        for (int i = 0; i != repetitions; ++i) communication(transport);
        for (auto const& r : transport.sent) ++found.sent[r];
        for (auto const& r : transport.received) ++found.received[r];
        found.messages += transport.sent.size();
    }
    return found;
}

template <class Make>
void check_matched(int ranks, std::size_t messages, Make make) {
    CAPTURE(ranks);
    auto const found = after(3, ranks, make);
    CHECK(found.sent == found.received);
    CHECK(found.messages == 3 * messages);
    for (auto const& [where, n] : found.sent) CHECK(where.first != where.second);
}

} // namespace

TEST_CASE("every sent message is received, and their number is the expected one") {
    for (int ranks = 2; ranks != 8; ++ranks) {
        auto const p = static_cast<std::size_t>(ranks);
        check_matched(ranks, p, [=](int rank) { return unirandom{rank, ranks}; });
        check_matched(ranks, 2 * p, [=](int rank) { return birandom{rank, ranks}; });
        check_matched(ranks, p, [=](int rank) { return corandom{rank, random_ring{ranks}}; });
    }
    for (int ranks : {4, 6, 12})
        check_matched(ranks, 4 * static_cast<std::size_t>(ranks),
                      [=](int rank) { return stencil{plane_of(ranks).neighbors(rank)}; });
    for (int ranks : {8, 12, 27})
        check_matched(ranks, 6 * static_cast<std::size_t>(ranks),
                      [=](int rank) { return stencil{space_of(ranks).neighbors(rank)}; });
}

TEST_CASE("in a pair one rank sends and then receives, the other receives and then sends") {
    source_log none{1};
    ping_pong{{sonde::role::initiator, 5}}(none);
    CHECK(none.sources == std::vector{5});
    struct order {
        std::vector<int> messages;
        void send(int to) { messages.push_back(to); }
        void recv(int from) { messages.push_back(-from); }
    };
    order first, second;
    ping_pong{{sonde::role::initiator, 5}}(first);
    ping_pong{{sonde::role::responder, 5}}(second);
    CHECK(first.messages == std::vector{5, -5});
    CHECK(second.messages == std::vector{-5, 5});
}

TEST_CASE("random steps restart after the warm-up") {
    auto const sent_by = [](int warm, int timed) {
        communication_pattern pattern{message_log{1}, unirandom{1, 5}, {}};
        for (int i = 0; i != warm; ++i) pattern();
        pattern.after_warmup();
        auto const before = pattern.transport().sent.size();
        for (int i = 0; i != timed; ++i) pattern();
        auto const& all = pattern.transport().sent;
        return std::vector<route>{all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
    };
    REQUIRE(!sent_by(0, 4).empty());
    CHECK(sent_by(3, 4) == sent_by(0, 4));
}

TEST_CASE("complete() calls the transport, and the traffic is that of the constructor's arguments") {
    communication_pattern pattern{message_log{0}, ping_ping{1}, {8, 1, 1}};
    pattern.complete();
    CHECK(pattern.transport().completed == 1);
    CHECK(pattern.traffic().bytes == 8);
}

TEST_CASE("the source log has the last sender of each receive buffer, and messages received in place") {
    source_log log{4};
    CHECK(log.sources == std::vector{-1, -1, -1, -1});
    stencil{{1, 2, 3, 4}}(log);
    CHECK(log.sources == std::vector{1, 2, 3, 4});
    CHECK(!log.in_place);
    ring_replace{7, 9}(log);
    CHECK(log.sources[0] == 9);
    CHECK(log.in_place);
}
