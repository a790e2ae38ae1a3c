// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/handle_map.hpp"
#include "tools/replay/recorder/settings.hpp"
#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/profile_html.hpp"
#include "tools/replay/trace/bytes_sent.hpp"
#include "tools/replay/trace/packed_times.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using tools::replay::communicator;
using tools::replay::handle_map;
using tools::replay::program;
using tools::replay::settings_of;
using tools::replay::step;

TEST_CASE("a handle has the number that was added first, until it is taken") {
    handle_map map;
    CHECK(!map.find(5));
    CHECK(!map.take(5));
    for (int number = 0; number != 200; ++number) map.add(5, number);
    for (int other = 100; other != 300; ++other) map.add(static_cast<std::uint64_t>(other), other);
    for (int number = 0; number != 200; ++number) {
        CHECK(map.find(5) == number);
        CHECK(map.take(5) == number);
    }
    CHECK(!map.find(5));
    for (int other = 100; other != 300; ++other) CHECK(map.take(static_cast<std::uint64_t>(other)) == other);
    CHECK(map.size() == 0);
}
TEST_CASE("handles come and go in any order") {
    handle_map map;
    std::vector<std::int64_t> expected(64, -1);
    std::uint32_t random = 1;
    for (int i = 0; i != 20000; ++i) {
        random = random * 1664525 + 1013904223; // Numerical Recipes
        auto const key = (random >> 16) % expected.size();
        if (expected[key] < 0) {
            map.add(key, expected[key] = i);
        } else {
            REQUIRE(map.take(key) == expected[key]);
            expected[key] = -1;
        }
    }
}

namespace {

tools::replay::trace_settings settings_from(std::vector<char const*> environment) {
    environment.push_back(nullptr);
    return settings_of(environment.data());
}

} // namespace

TEST_CASE("settings of the recorder") {
    using namespace std::chrono_literals;
    auto const all =
        settings_from({"PATH=/bin", "SONDE_TRACE_RANKS=0-2,5", "SONDE_TRACE_WINDOW=1.5:", "SONDE_TRACE_MARKS=1",
                       "SONDE_TRACE_MEMORY=2M", "SONDE_TRACE_CHECKPOINT=0", "SONDE_TRACE_FRAMES=3",
                       "SONDE_TRACE_OUTPUT=a=b", "SONDE_TRACE_PAGE=/tmp", "SONDE_TRACE_MONITOR=a.prom,0.5"});
    CHECK(all.output == "a=b");
    for (int rank = 0; rank != 8; ++rank) CHECK(all.records(rank) == (rank < 3 || rank == 5));
    CHECK(all.from == 1500ms);
    CHECK(!all.to);
    CHECK(all.between_marks);
    CHECK(all.memory == std::size_t{2} << 20);
    CHECK(all.checkpoint == 0s);
    CHECK(all.frames == 3);
    CHECK(all.page_folder == "/tmp");
    CHECK(all.monitor == "a.prom");
    CHECK(all.monitor_interval == 500ms);
    CHECK(settings_from({"SONDE_TRACE_MONITOR=a.prom"}).monitor_interval == 10s);
    CHECK(settings_from({}).monitor.empty());
    CHECK(settings_from({}).records(1000));
    CHECK(settings_from({"SONDE_TRACE_WINDOW=:3"}).to == 3s);
}
TEST_CASE("settings that are refused") {
    for (auto const* wrong : {"SONDE_TRACE_RANKS=",           "SONDE_TRACE_RANKS=a",         "SONDE_TRACE_RANKS=0,",
                              "SONDE_TRACE_RANKS=-1",         "SONDE_TRACE_WINDOW=3:2",      "SONDE_TRACE_WINDOW=:",
                              "SONDE_TRACE_WINDOW=nan:",      "SONDE_TRACE_MARKS=2",         "SONDE_TRACE_MEMORY=M",
                              "SONDE_TRACE_MEMORY=99999999G", "SONDE_TRACE_CHECKPOINT=inf",  "SONDE_TRACE_FRAMES=0",
                              "SONDE_TRACE_FRAMES=17",        "SONDE_TRACE_OUTPUT=",         "SONDE_TRACE_PAGE=pages",
                              "SONDE_TRACE_MONITOR=",         "SONDE_TRACE_MONITOR=,1",      "SONDE_TRACE_MONITOR=a,0",
                              "SONDE_TRACE_MONITOR=a,b",      "SONDE_TRACE_MONITOR=a,1e300", "SONDE_TRACE_RANK=1"})
        CHECK_THROWS_AS(settings_from({wrong}), std::invalid_argument);
}

TEST_CASE("texts of ranks are read") {
    using list = std::vector<int>;
    CHECK(tools::replay::ranks_of_text("0-3", 4) == list{0, 1, 2, 3});
    CHECK(tools::replay::ranks_of_text("0-8:4,9", 10) == list{0, 4, 8, 9});
    CHECK(tools::replay::ranks_of_text("1,0", 2) == list{1, 0});
    for (auto const* wrong :
         {"", "a", "3-1", "0-4:0", "1,", "1;2", "intercommunicator", "-1", "0-99999999999", "0-4", "0,0"})
        CHECK(tools::replay::ranks_of_text(wrong, 4).empty());
}

TEST_CASE("bytes of calls") {
    program const run{.types = {{"MPI_INT", 4, 4}, {"MPI_DOUBLE", 8, 8}}};
    communicator const four{.world = {0, 1, 2, 3}, .rank = 1};
    auto const bytes = [&](step const& s, std::size_t neighbors = 0) { return bytes_sent(s, run, four, neighbors); };
    CHECK(bytes({.call = "Isend", .what = {.to = 1, .type = 1, .count = 10}}) == 80);
    CHECK(bytes({.call = "Send", .what = {.to = tools::replay::null_partner, .type = 1, .count = 10}}) == 0);
    CHECK(bytes({.call = "Recv", .what = {.from = 1, .recv_type = 1, .recv_count = 10}}) == 0);
    CHECK(bytes({.call = "Allreduce", .what = {.type = 0, .count = 3}}) == 12);
    CHECK(bytes({.call = "Bcast", .what = {.root = 1, .type = 0, .count = 3}}) == 12);
    CHECK(bytes({.call = "Ibcast", .what = {.root = 0, .type = 0, .count = 3}}) == 0);
    CHECK(bytes({.call = "Alltoall", .what = {.type = 0, .count = 3}}) == 48);
    CHECK(bytes({.call = "Scatter_init", .what = {.root = 1, .type = 0, .count = 3}}) == 48);
    CHECK(bytes({.call = "Scatter", .what = {.root = 0, .recv_type = 0, .recv_count = 3}}) == 0);
    CHECK(bytes({.call = "Alltoallv", .what = {.type = 0}, .counts = {1, 2, 3, 4, 9, 9, 9, 9}}) == 40);
    CHECK(bytes({.call = "Reduce_scatter", .what = {.type = 1}, .counts = {1, 1, 1, 1}}) == 32);
    CHECK(bytes({.call = "Neighbor_alltoall", .what = {.type = 0, .count = 3}}, 2) == 24);
    CHECK(bytes({.call = "Neighbor_alltoallv", .what = {.type = 0}, .counts = {1, 2, 7, 7}}, 2) == 12);
    CHECK(bytes({.call = "Psend_init", .what = {.to = 1, .type = 0, .count = 3}, .counts = {5}}) == 60);
    CHECK(bytes({.call = "Barrier"}) == 0);
}

TEST_CASE("bytes of calls that send in place are those of calls that do not") {
    program const run{.types = {{"MPI_INT", 4, 4}, {"MPI_DOUBLE", 8, 8}}};
    communicator const four{.world = {0, 1, 2, 3}, .rank = 1};
    auto const bytes = [&](step const& s) { return bytes_sent(s, run, four, 0); };
    CHECK(bytes({.call = "Allgather", .what = {.recv_type = 1, .recv_count = 3}}) == 24);
    CHECK(bytes({.call = "Iallgatherv", .what = {.recv_type = 1}, .counts = {1, 2, 3, 4}}) == 16);
    CHECK(bytes({.call = "Alltoall_init", .what = {.recv_type = 0, .recv_count = 3}}) == 48);
    CHECK(bytes({.call = "Alltoallv", .what = {.recv_type = 0}, .counts = {1, 2, 3, 4}}) == 40);
    CHECK(bytes({.call = "Alltoallw", .what = {.recv_type = 0}, .counts = {4, 8, 12, 16}}) == 160);
    CHECK(bytes({.call = "Gather", .what = {.root = 1, .recv_type = 1, .recv_count = 3}}) == 24);
    CHECK(bytes({.call = "Gatherv", .what = {.root = 1, .recv_type = 1}, .counts = {1, 2, 3, 4}}) == 16);
    // the root of an intercommunicator receives only
    CHECK(bytes({.call = "Gather", .what = {.recv_type = 1, .recv_count = 3}}) == 0);
}

TEST_CASE("the page of many ranks is small, and its colors show what differs") {
    tools::replay::trace t;
    t.about = {1024, "MPI", "dense"};
    tools::replay::profile p;
    for (int from = 0; from < 1024; from += 16)
        for (int to = 0; to < 1024; to += 16) p.pairs[{from, to}] = {1, from == to ? 1e5 : 1e4};
    p.message_sizes[14] = 4096;
    auto const page = profile_html(t, p, {});
    CHECK(page.size() < 1'200'000);
    CHECK(page.find("Bytes from each row of 16 ranks to each column of 16 ranks: 10000 (light) to 100000 (dark)") !=
          page.npos);
    CHECK(page.find("Messages from each row of 16 ranks to each column of 16 ranks: 1 in each that has messages") !=
          page.npos);
    CHECK(page.find("x=\"0\" y=\"0\" width=\"1\" height=\"1\" fill=\"hsl(215,60%,20%)\"><title>0 .. 15 \u2192 0 .. 15: "
                    "100000 bytes") != page.npos);
    CHECK(page.find("fill=\"hsl(215,60%,80%)\"><title>0 .. 15 \u2192 16 .. 31: 10000 bytes") != page.npos);
    CHECK(page.find("powers of two from 8192 to below 16384 bytes") != page.npos);
}

TEST_CASE("the page begins with the share of MPI and the longest call") {
    tools::replay::trace t;
    t.about = {4, "MPI", "app"};
    tools::replay::profile p;
    p.in_calls = 0.3;
    p.between_calls = 0.1;
    CHECK(profile_html(t, p, {}).find("The ranks spend") == std::string::npos); // no calls
    p.phases = {{}};
    p.calls = {{0, "Waitall", "<f>", {400, 0, 0.12}}};
    CHECK(profile_html(t, p, {}).find("<li>The ranks spend 75.0 % of their time in MPI; 40.0 % of it is in Waitall at "
                                      "&lt;f&gt;, 300.0 us in each call.</li>") != std::string::npos);
}

namespace {

/// A pass whose only call takes as many seconds as its number says.
std::vector<tools::replay::pass_times> pass(std::uint64_t number) { return {{0, static_cast<float>(number)}}; }

tools::replay::kept_passes loop_of(std::uint64_t passes) {
    tools::replay::kept_passes kept;
    for (std::uint64_t i = 0; i != passes; ++i)
        if (kept.wants(i)) kept.add(i, pass(i));
    return kept;
}
std::vector<int> numbers(std::vector<tools::replay::kept_passes::row> const& rows) {
    std::vector<int> found;
    for (auto const& row : rows) found.push_back(static_cast<int>(row[0].call));
    return found;
}

} // namespace

TEST_CASE("passes are kept in blocks that lie evenly in the loop") {
    using list = std::vector<int>;
    CHECK(numbers(loop_of(0).choice()).empty());
    auto all = numbers(loop_of(3).choice());
    CHECK(list(all.begin(), all.begin() + 7) == list{0, 1, 2, 0, 1, 2, 0});
    CHECK(all.size() == 240);
    for (auto const passes : {240u, 241u, 400u, 480u, 481u, 540u, 1000u, 99999u}) {
        all = numbers(loop_of(passes).choice());
        REQUIRE(all.size() == 240);
        for (std::size_t i = 0; i != 240; ++i) CHECK(all[i] == all[i / 60 * 60] + static_cast<int>(i % 60));
        for (std::size_t i = 60; i < 240; i += 60) CHECK(all[i] % 60 == 0);
        for (std::size_t i = 60; i < 240; i += 60) CHECK(all[i] > all[i - 60]);
        CHECK(all.front() == 0);
        CHECK(all.back() > static_cast<int>(passes) * 2 / 5);
        CHECK(all.back() < static_cast<int>(passes));
        CHECK(list(all) == [&] {
            auto const known = tools::replay::kept_passes::chosen_numbers(passes);
            return list(known.begin(), known.end());
        }());
    }
    CHECK(tools::replay::kept_passes::chosen_numbers(3) == std::vector<std::uint64_t>{0, 1, 2});
}
TEST_CASE("times of passes are digits of a fixed width, exact to a nanosecond or to a 16,000th") {
    using namespace tools::replay;
    CHECK(packed_time(0, 3) == "000");
    CHECK(packed_time(1e-6, 3) == "0Fe");
    CHECK(packed_time(-1, 3) == "000");
    CHECK(packed_time(1e9, 3) == "___");
    CHECK(unpacked_time("0Fe") == doctest::Approx(1e-6));
    for (auto const ns : {1.0, 8191.0, 8192.0, 16383.0}) CHECK(unpacked_time(packed_time(ns * 1e-9, 3)) == ns * 1e-9);
    for (auto seconds = 1e-9; seconds < 1e4; seconds *= 1.37) {
        CHECK(std::fabs(unpacked_time(packed_time(seconds, 3)) - seconds) <= 0.51e-9 + seconds / 16000);
        CHECK(std::fabs(unpacked_time(packed_time(seconds, 5)) - seconds) <= 0.51e-9 + seconds / 67e6);
    }
    CHECK_THROWS_WITH(unpacked_time("0 0"), "a time has a character that is no digit");
}
TEST_CASE("an inner loop has up to eight of its passes in a pass of the loop around it") {
    using list = std::vector<int>;
    CHECK(numbers(loop_of(3).choice_inside(3)) == list{0, 1, 2});
    CHECK(numbers(loop_of(16).choice_inside(16)) == list{0, 2, 4, 6, 8, 10, 12, 14});
    step const call{.call = "Barrier"};
    step const inner{.passes = 3, .body = {call, call}}, long_inner{.passes = 100, .body = {call}};
    CHECK(tools::replay::kept_rows({.passes = 50, .body = {call, inner, long_inner}}) == 8 * (1 + 6 + 8));
}
TEST_CASE("modes of epochs as texts") {
    using namespace tools::replay;
    CHECK(mode_text(shared_lock | no_check) == "shared,nocheck");
    for (std::int32_t mode = 0; mode != 128; ++mode) CHECK(mode_of(mode_text(mode)) == mode);
    CHECK(!mode_of("shared,"));
    CHECK(!mode_of("share"));
}
