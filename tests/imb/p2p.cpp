// SPDX-License-Identifier: BSL-1.0
// Random numbers, layouts, counts and figures of IMB-P2P, without MPI.
#include <doctest/doctest.h>

#include "imb/p2p/communication.hpp"
#include "imb/p2p/p2p.hpp"
#include "imb/p2p/p2p_benchmarks.hpp"
#include "imb/p2p/transport.hpp"

#include <array>
#include <map>
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
