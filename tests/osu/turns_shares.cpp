// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "osu/pt2pt/turns.hpp"

#include <cstddef>
#include <vector>

using sonde::role;

namespace {

constexpr int most = 8;
constexpr std::size_t rounds = 40;

void for_all_sides(auto f) {
    for (int senders = 1; senders <= most; ++senders)
        for (int receivers = 1; receivers <= most; ++receivers) f(senders, receivers);
}

/// One turn: its round and its tags.
struct turn {
    std::size_t iteration;
    std::size_t round;
    int thread;
    osu::tag_pair tags;
};

std::vector<turn> turns_of(int senders, int receivers, role who) {
    std::vector<turn> all;
    for (int thread = 0; thread != (who == role::initiator ? senders : receivers); ++thread) {
        osu::turn_schedule mine{senders, receivers, who, thread};
        auto const tags = mine.tags();
        std::size_t taken = 0;
        for (std::size_t round = 0; round != rounds; ++round)
            mine.round([&](std::size_t i) { all.push_back({i, round, thread, tags[taken++ % tags.size()]}); });
    }
    return all;
}

std::vector<turn> by_iteration(std::vector<turn> const& turns, std::size_t iterations) {
    std::vector<turn> ordered(iterations, turn{0, 0, -1, {-1, -1}});
    for (auto const& t : turns) ordered[t.iteration] = t;
    return ordered;
}

} // namespace

TEST_CASE("every iteration is handled exactly once on each side, in its round") {
    for_all_sides([](int senders, int receivers) {
        auto const n = rounds * static_cast<std::size_t>(senders);
        for (auto const who : {role::initiator, role::responder}) {
            std::vector<int> handled(n, 0);
            for (auto const& t : turns_of(senders, receivers, who)) {
                REQUIRE(t.iteration < n);
                ++handled[t.iteration];
                CHECK(t.iteration / static_cast<std::size_t>(senders) == t.round);
            }
            CHECK(handled == std::vector<int>(n, 1));
        }
    });
}

TEST_CASE("thread t has iterations t, t + number of threads ... in order") {
    for_all_sides([](int senders, int receivers) {
        for (auto const who : {role::initiator, role::responder}) {
            auto const threads = static_cast<std::size_t>(who == role::initiator ? senders : receivers);
            std::vector<std::size_t> expected(threads);
            for (std::size_t t = 0; t != threads; ++t) expected[t] = t;
            for (auto const& t : turns_of(senders, receivers, who)) {
                CHECK(t.iteration == expected[static_cast<std::size_t>(t.thread)]);
                expected[static_cast<std::size_t>(t.thread)] += threads;
            }
        }
    });
}

TEST_CASE("both sides of an iteration use the same tags, within MPI's minimum limit") {
    for_all_sides([](int senders, int receivers) {
        auto const n = rounds * static_cast<std::size_t>(senders);
        auto const sent = by_iteration(turns_of(senders, receivers, role::initiator), n);
        auto const received = by_iteration(turns_of(senders, receivers, role::responder), n);
        for (std::size_t i = 0; i != n; ++i) {
            CHECK(sent[i].tags.data == received[i].tags.data);
            CHECK(sent[i].tags.reply == received[i].tags.reply);
            if (senders != 1) CHECK(sent[i].tags.reply == sent[i].tags.data);
            CHECK(sent[i].tags.data >= 0);
            CHECK(sent[i].tags.data < 32767);
        }
    });
    CHECK(osu::turn_schedule{127, 126, role::initiator, 126}.tags().back().data < 32767);
}

TEST_CASE("one sender sends with tag 1 and is answered with tag 2") {
    for (int receivers = 1; receivers <= most; ++receivers)
        for (auto const who : {role::initiator, role::responder})
            for (auto const& t : turns_of(1, receivers, who)) {
                CHECK(t.tags.data == 1);
                CHECK(t.tags.reply == 2);
            }
}

// Each sender has one iteration in progress, for any progress of the other threads: any iteration of one sender may
// overlap with any of another, and each receiver may be at any of its own.
TEST_CASE("iterations that may overlap have different tags, and no receiver matches another's") {
    for_all_sides([](int senders, int receivers) {
        if (senders == 1) return;
        auto const n = rounds * static_cast<std::size_t>(senders);
        auto const sent = by_iteration(turns_of(senders, receivers, role::initiator), n);
        auto const received = by_iteration(turns_of(senders, receivers, role::responder), n);
        std::size_t shared_by_senders = 0, shared_by_receivers = 0;
        for (std::size_t i = 0; i != n; ++i)
            for (std::size_t j = 0; j != i; ++j) {
                if (sent[i].tags.data != sent[j].tags.data) continue;
                if (sent[i].thread != sent[j].thread) ++shared_by_senders;
                if (received[i].thread != received[j].thread) ++shared_by_receivers;
            }
        CHECK(shared_by_senders == 0);
        CHECK(shared_by_receivers == 0);
    });
}
