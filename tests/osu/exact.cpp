// SPDX-License-Identifier: BSL-1.0
// Computations of the programs without MPI.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "osu/collective/collective_driver.hpp"
#include "osu/collective/omb_work.hpp"
#include "osu/driver/mpi_library.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_table.hpp"
#include "suite/contents.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

namespace {

/// n, n - 1 ... 1 seconds.
std::vector<sonde::seconds> countdown(int n) {
    std::vector<sonde::seconds> times;
    for (; n != 0; --n) times.emplace_back(n);
    return times;
}

template <class T, std::size_t N>
std::array<T, N> written(osu::contents const& c) {
    std::array<T, N> values{};
    osu::write(std::as_writable_bytes(std::span{values}), c);
    return values;
}

/// A clock that advances by a second at every reading.
struct ticking {
    int* readings;
    sonde::seconds now() const { return sonde::seconds((*readings)++); }
};

osu::program showing(osu::metric what) {
    return {.name = "x", .title = "X", .moved_by = osu::mpi_library, .shows = what};
}

} // namespace

TEST_CASE("a percentile is the time that the given number of a hundred times do not exceed") {
    CHECK(osu::percentile(countdown(20), 99).count() == 20);
    CHECK(osu::percentile(countdown(20), 95).count() == 19);
    CHECK(osu::percentile(countdown(20), 50).count() == 10);
    CHECK(osu::percentile(countdown(21), 50).count() == 11);
    CHECK(osu::percentile(countdown(1000), 99).count() == 990);
    CHECK(osu::percentile(countdown(1000), 1).count() == 10);
}

TEST_CASE("percentiles 0 and 100 are the first and the last time, and an empty series has none") {
    CHECK(osu::percentile(countdown(7), 0).count() == 1);
    CHECK(osu::percentile(countdown(7), 100).count() == 7);
    CHECK(osu::percentile(countdown(1), 0).count() == 1);
    CHECK(osu::percentile(countdown(1), 100).count() == 1);
    CHECK_THROWS_AS(osu::percentile({}, 50), std::invalid_argument);
}

TEST_CASE("elements hold 7 (e + 1) + size + iteration, converted to each type") {
    CHECK(written<int, 3>({osu::element::integer, 12, 5}) == std::array{10 * 24, 10 * 31, 10 * 38});
    CHECK(written<float, 2>({osu::element::real, 8, 1}) == std::array{2.0f * 16, 2.0f * 23});
    CHECK(written<unsigned char, 3>({osu::element::character, 100, 0}) ==
          std::array<unsigned char, 3>{7 * 107 % 256, 7 * 114 % 256, 7 * 121 % 256});
}

TEST_CASE("a change of any bit makes one element wrong") {
    for (auto const kind : {osu::element::character, osu::element::integer, osu::element::real}) {
        osu::contents const c{kind, 16, 3};
        auto bytes = written<std::byte, 16>(c);
        CHECK(osu::find_wrong(bytes, c).size() == 0);
        for (auto& b : bytes)
            for (int bit = 0; bit != 8; ++bit) {
                b ^= std::byte{1} << bit;
                CHECK(osu::find_wrong(bytes, c).size() == 1);
                b ^= std::byte{1} << bit;
            }
    }
}

TEST_CASE("contents of another iteration or size are wrong from the first to the last element") {
    osu::contents const c{osu::element::integer, 16, 3};
    auto bytes = written<std::byte, 16>(c);
    CHECK(osu::find_wrong(bytes, {osu::element::integer, 16, 4}).size() == 4);
    CHECK(osu::find_wrong(bytes, {osu::element::integer, 32, 3}).size() == 4);
}

TEST_CASE("a message rate is the sum of the rates of all initiators, and so is that of atomic operations") {
    sonde::record found;
    found.total.messages = 10; // 5 of each initiator
    found.initiators = 2;
    found.rank_means = {sonde::seconds{1}, sonde::seconds{2}, sonde::seconds{100}, sonde::seconds{100}};
    found.over_ranks.mean = sonde::seconds{1.5};
    auto const texts = [&found](osu::metric what) {
        std::vector<std::string> all;
        for (auto const& c : osu::columns_of(showing(what), {})) all.push_back(c.text(found));
        return all;
    };
    CHECK(texts(osu::metric::message_rate) == std::vector<std::string>{osu::fixed(5 / 1.0 + 5 / 2.0)});
    found.rank_means = {sonde::seconds{1e-6}, sonde::seconds{2e-6}};
    found.over_ranks.mean = sonde::seconds{1.5e-6};
    CHECK(texts(osu::metric::atomics) == std::vector<std::string>{osu::fixed(7.5), osu::fixed(0.3)});
}

TEST_CASE("neighbors on a grid are within the radius in each dimension, the last fastest, with periodic boundaries") {
    CHECK(osu::grid_neighbors(0, {5}, 2) == std::vector{3, 4, 1, 2});
    CHECK(osu::grid_neighbors(4, {3, 3}, 1) == std::vector{0, 1, 2, 3, 5, 6, 7, 8});
    CHECK(osu::grid_neighbors(0, {3, 4}, 1) == std::vector{11, 8, 9, 3, 1, 7, 4, 5});
}

TEST_CASE("OMB's work lasts until its passes have taken the requested time, each of them timed") {
    int readings = 0;
    osu::omb_work work{0, ticking{&readings}};
    int tests = 0;
    auto const test = [&] { return ++tests, true; };
    work.set_duration(sonde::seconds{2.5}); // passes of a second: the third ends it
    work(test);
    CHECK(readings == 2 * 3);
    CHECK(tests == 0);
}

TEST_CASE(
    "OMB's work with tests consists of equal parts with a test after each, also after the operation's completion") {
    int readings = 0;
    osu::omb_work work{4, ticking{&readings}};
    std::vector<int> readings_at_tests;
    work.set_duration(sonde::seconds{8});
    work([&] { return readings_at_tests.push_back(readings), true; });
    CHECK(readings_at_tests == std::vector<int>{4, 8, 12, 16}); // two passes a part, two readings a pass
}

TEST_CASE("OMB's work ends with a clock that steps back more than it advances, and with one that stands still") {
    struct stepping {
        int* readings;
        sonde::seconds now() const {
            ++*readings; // a second forward; at every tenth reading, the end of a pass, 100 s back
            return sonde::seconds{*readings - 100.0 * (*readings / 10)};
        }
    };
    int readings = 0;
    osu::omb_work work{0, stepping{&readings}};
    auto const test = [] { return true; };
    work.set_duration(sonde::seconds{8});
    work(test);
    CHECK(readings == 2 * (8 + 1)); // eight passes of a second, and one in which the clock went back

    struct stopped {
        int* readings;
        sonde::seconds now() const { return ++*readings, sonde::seconds{5}; }
    };
    readings = 0;
    osu::omb_work endless{0, stopped{&readings}};
    endless.set_duration(sonde::seconds{8});
    endless(test);
    CHECK(readings == 2 << 17);
}

TEST_CASE("the overlap is 100 % minus the share of the communication left after the work without tests, at least 0") {
    sonde::overlap_records found;
    found.communication.over_ranks.mean = sonde::seconds{4};
    found.phases = sonde::phase_means{.work = sonde::seconds{10}, .test = sonde::seconds{100}};
    found.both.over_ranks.mean = sonde::seconds{11};
    CHECK(osu::overlap_percent(found) == 75);
    found.both.over_ranks.mean = sonde::seconds{9};
    CHECK(osu::overlap_percent(found) == 125);
    found.both.over_ranks.mean = sonde::seconds{15};
    CHECK(osu::overlap_percent(found) == 0);
}

TEST_CASE("the sum of all ranks' characters fits a character for any number of ranks") {
    for (int ranks = 2; ranks < 1000; ranks += ranks < 300 ? 1 : 97)
        for (std::size_t i = 0; i != 300; ++i) {
            int sum = 0;
            for (int rank = 0; rank != ranks; ++rank) sum += osu::known_values{3, ranks}.element<char>(rank, -1, i);
            CHECK(sum <= 127);
            if (sum > 127) return;
        }
}

TEST_CASE("a buffer of zeros is wrong: no sum of all ranks and no copied element is 0") {
    for (int ranks = 2; ranks < 1000; ranks += ranks < 300 ? 1 : 97)
        for (std::size_t i = 0; i != 300; ++i) {
            int sum = 0;
            for (int rank = 0; rank != ranks; ++rank) sum += osu::known_values{3, ranks}.element<char>(rank, -1, i);
            REQUIRE(sum >= 1);
            REQUIRE(osu::known_values{3, 1}.element<char>(ranks, -1, i) >= 1);
            REQUIRE(osu::known_values{3, 2}.element<char>(ranks, -1, i) >= 1); // accumulated in a window
        }
}

TEST_CASE("contributions differ between ranks, blocks, elements and iterations") {
    osu::known_values const now{0, 1}, next{1, 1};
    for (int rank = 0; rank != 8; ++rank)
        for (std::size_t i = 0; i != 300; ++i) {
            auto const here = now.element<char>(rank, 2, i);
            REQUIRE(here != now.element<char>(rank + 1, 2, i));
            REQUIRE(here != now.element<char>(rank, 3, i));
            REQUIRE(here != now.element<char>(rank, 2, i + 1));
            REQUIRE(here != next.element<char>(rank, 2, i));
        }
}

TEST_CASE("a block is what its sources contributed, with and without gaps; a wrong element is named by its place") {
    for (std::size_t const spacing : {sizeof(int), 2 * sizeof(int)}) {
        suite::spaced_elements const as{osu::element::integer, spacing};
        osu::known_values const values{3, 1};
        std::vector<std::byte> received(10 * spacing);
        auto const wrong = [&] {
            std::vector<osu::wrong_element> all;
            compare_block(received, as, values, {4 * spacing, 3 * spacing, 1, 1, 0}, osu::append_to(all));
            return all;
        };
        CHECK(wrong().size() == 3);
        write_contribution(sonde::region{received}.subspan(4 * spacing, 3 * spacing), as, values, 1, 0);
        CHECK(wrong().empty());
        received[5 * spacing - 1] ^= std::byte{1}; // the end of an element, or of the gap behind it
        CHECK(wrong().size() == (spacing == sizeof(int) ? 1 : 0));
        received[6 * spacing] ^= std::byte{1};
        REQUIRE(!wrong().empty());
        CHECK(wrong().back().at == 6);
    }
}

TEST_CASE("a block of several sources is the sum of their elements in the order of ranks") {
    osu::known_values const values{1, 3};
    std::vector<std::byte> received(8 * sizeof(float));
    osu::write_each<float>(received, [&](std::size_t i) {
        return values.element<float>(0, -1, i) + values.element<float>(1, -1, i) + values.element<float>(2, -1, i);
    });
    std::vector<osu::wrong_element> wrong;
    compare_block(received, {osu::element::real}, values, {0, received.size(), 0, 2}, osu::append_to(wrong));
    CHECK(wrong.empty());
    compare_block(received, {osu::element::real}, values, {0, received.size(), 0, 1}, osu::append_to(wrong));
    CHECK(wrong.size() == 8);
}

TEST_CASE("percentiles of a collective are of the means over ranks if the record keeps them") {
    osu::options settings;
    settings.percentiles = {100};
    sonde::record r;
    r.series = countdown(20);
    auto const shown = [&] { return osu::columns_of(showing(osu::metric::collective), settings).back().text(r); };
    CHECK(shown() == "       20000000.00");
    r.sample_means = countdown(10);
    CHECK(shown() == "       10000000.00");
}

TEST_CASE("the overlap of --honest is computed from the records beside calibrated work") {
    osu::options settings;
    settings.statistics = true;
    auto const lasting = [](int communication, int work, int both) {
        sonde::overlap_records found;
        found.communication.series = {sonde::seconds{communication}};
        found.work.series = {sonde::seconds{work}};
        found.both.series = {sonde::seconds{both}};
        return found;
    };
    osu::result const found{lasting(1, 1, 1), lasting(4, 10, 11)};
    auto const shown = [&](std::string const& title) {
        for (auto const& c : osu::columns_of(showing(osu::metric::overlap), settings))
            if (c.title.find(title) != std::string::npos) return c.text(found);
        return std::string{};
    };
    CHECK(shown("Hidden(%)") == "             75.00");
}
