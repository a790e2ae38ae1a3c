// SPDX-License-Identifier: BSL-1.0
// Messages in partitions, which become ready one after the other.
#include <doctest/doctest.h>

#include "application.hpp"
#include "paired_rank.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/mpi/partitioned.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <stdexcept>

using namespace sonde;

namespace {

constexpr int parts = 4;

mpi::partitioned_message message_of(paired_rank& t, std::size_t n) {
    return {t.ranks, t.at.peer, t.at.role, parts, t.out.first(n), t.in.first(n)};
}

/// An iteration in which both sides test a number of times.
struct with_tests {
    mpi::partitioned_message& message;
    int tests;

    void operator()() {
        message.start();
        for (int i = 0; i != tests; ++i) message.test();
        message.wait();
    }
};

std::size_t responders_get_one(role who) { return who == role::responder ? 1 : 0; }

} // namespace

TEST_CASE("a message in partitions arrives whole, however many of them are ready before the wait") {
    if (MPI_VERSION < 4) return;
    for (std::size_t const n : {4U, 400U, 300'000U}) {
        paired_rank t{n};
        auto message = message_of(t, n);
        for (int tests = 0; tests != parts + 2; ++tests) {
            with_tests pattern{message, tests};
            auto const errors = t.errors_of(pattern, responders_get_one);
            CAPTURE(n);
            CAPTURE(tests);
            CHECK(errors == 0);
        }
    }
}

TEST_CASE("a test of the initiator makes one partition ready: the last one completes the message at its responder") {
    if (MPI_VERSION < 4) return;
    paired_rank t{400};
    auto message = message_of(t, 400);
    message.start();
    if (t.at.role == role::initiator)
        for (int i = 0; i != parts - 1; ++i) CHECK(!message.test());
    t.ranks.barrier();
    auto early = false; // after any of many tests, since the library makes progress in them
    if (t.at.role == role::responder)
        for (int i = 0; i != 10'000; ++i) early = message.test();
    t.ranks.barrier();
    if (t.at.role == role::initiator) CHECK(!message.test());
    if (t.at.role == role::responder) // before its wait, and that of the initiator
        while (!message.test()) continue;
    t.ranks.barrier();
    message.wait();
    CHECK(application::everywhere(!early));
}

TEST_CASE("work hides a part of a message in partitions, which has the traffic of one message") {
    if (MPI_VERSION < 4) return;
    paired_rank t{400};
    auto message = message_of(t, 400);
    calibrated_work work{parts};
    auto const found = measure_overlap(t.ranks, plan<>{}.warmup(1).until(samples{5}), message, work);
    if (application::size() > 1)
        CHECK(found.both.total.bytes == 400 * static_cast<std::size_t>(application::size() / 2));
    CHECK(found.both.stop.samples == 5);
}

TEST_CASE("an older MPI library is refused, and so are partitions that do not divide the message") {
    paired_rank t{400};
    auto const make = [&](int partitions) {
        return mpi::partitioned_message{t.ranks, t.at.peer, t.at.role, partitions, t.out.first(400), t.in.first(400)};
    };
    if (MPI_VERSION < 4) {
        CHECK_THROWS_AS(make(parts), std::runtime_error);
        return;
    }
    CHECK_THROWS_AS(make(3), std::invalid_argument);
    CHECK_THROWS_AS(make(0), std::invalid_argument);
}
