// SPDX-License-Identifier: BSL-1.0

// Traces in which every time is known, in microseconds: a step of a rank is its work, then its calls.

#include "tools/replay/show/waiting_text.hpp"
#include "tools/replay/waiting/loop_waiting.hpp"

#include <sonde/lateness/sentences.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace waiting_tests {

using namespace tools::replay;

namespace {

using steps = std::vector<step>;
using doctest::Approx;

constexpr std::size_t pass_count = kept_passes::chosen;

step call(std::string name, event what, std::vector<std::int64_t> requests = {}) {
    what.site = 0;
    if (requests.empty()) what.comm = 0;
    return {.call = std::move(name), .what = what, .requests = std::move(requests)};
}
step send(char const* name, distance to) { return call(name, {.to = to, .tag = 0, .count = 1}); }
step receive(char const* name, distance from) { return call(name, {.from = from, .recv_tag = 0, .recv_count = 1}); }
step rooted(char const* name) { return call(name, {.root = 0, .count = 1}); }

struct interval {
    double begin = 0, end = 0, think = 0;
};

/// A trace of one loop, whose calls are added rank by rank, each with its begin and its end.
class written_trace {
public:
    explicit written_trace(std::vector<steps> const& ranks) {
        std::vector<int> world;
        for (std::size_t rank = 0; rank != ranks.size(); ++rank) world.push_back(static_cast<int>(rank));
        trace_.about.ranks = static_cast<int>(ranks.size());
        for (std::size_t rank = 0; rank != ranks.size(); ++rank) add(ranks[rank], static_cast<int>(rank), world);
        calls_.resize(ranks.size());
    }
    written_trace(std::size_t ranks, steps const& all) : written_trace{std::vector<steps>(ranks, all)} {}
    /// The calls are those of an inner loop.
    written_trace(std::size_t ranks, steps const& all, std::uint64_t inner)
        : written_trace{std::vector<steps>(ranks, steps{{.passes = inner, .body = all}})} {}

    /// The call begins after `work` microseconds; returns when.
    double work(std::size_t rank, double time) const { return end(rank) + time; }
    double end(std::size_t rank) const { return calls_[rank].empty() ? 0 : calls_[rank].back().end; }
    void made(std::size_t rank, double begin, double end) {
        calls_[rank].push_back({begin, end, begin - this->end(rank)});
    }
    /// A call with work before it, and with calls before that which are not kept.
    void made(std::size_t rank, double begin, double end, double work) { calls_[rank].push_back({begin, end, work}); }

    trace_waiting waiting() {
        for (std::size_t rank = 0; rank != calls_.size(); ++rank) fill(rank);
        return waiting_of(trace_);
    }
    loop_waiting loop() {
        auto const found = waiting();
        REQUIRE(found.fault == "");
        REQUIRE(found.loops.size() == 1);
        return found.loops[0];
    }
    trace& of() { return trace_; }

private:
    void add(steps body, int rank, std::vector<int> const& world) {
        for (std::size_t i = 0; i != body.size(); ++i) body[i].place = i;
        std::size_t rows = 0;
        for (auto const& part : body) rows += kept_rows(part);
        program run{.sites = {"a+0x1"}, .body = {{.passes = pass_count, .body = body}}};
        run.events = body.size();
        thread_trace thread;
        thread.rank = rank;
        thread.program = static_cast<std::size_t>(rank);
        thread.think = thread.call = std::vector<times::slices>(body.size());
        thread.communicators.push_back({.world = world, .rank = rank, .text = "all"});
        auto const none = std::vector<kept_times>(rows);
        thread.passes.push_back({0, none, none, none});
        trace_.programs.push_back(std::move(run));
        trace_.threads.push_back(std::move(thread));
    }

    void fill(std::size_t rank) {
        auto& kept = trace_.threads[rank].passes[0];
        auto const width = kept.end.size();
        REQUIRE(calls_[rank].size() == width * pass_count);
        for (std::size_t i = 0; i != calls_[rank].size(); ++i) {
            auto const [begin, end, think] = calls_[rank][i];
            kept.think[i % width][i / width] = think * 1e-6;
            kept.call[i % width][i / width] = (end - begin) * 1e-6;
            kept.end[i % width][i / width] = end * 1e-6;
        }
    }

    trace trace_{};
    std::vector<std::vector<interval>> calls_; // of each rank
};

/// A collective after each rank's work, which takes 2 us when the last rank is there.
loop_waiting collective_after(auto work, char const* name, std::size_t ranks = 4) {
    written_trace t{ranks, {call(name, {.count = 1})}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        std::vector<double> begins;
        for (std::size_t rank = 0; rank != ranks; ++rank) begins.push_back(t.work(rank, work(rank, pass)));
        auto const last = *std::max_element(begins.begin(), begins.end());
        for (std::size_t rank = 0; rank != ranks; ++rank) t.made(rank, begins[rank], last + 2);
    }
    return t.loop();
}

/// Microseconds; the first pass is not counted.
double waiting_us(loop_waiting const& loop, wait_pattern pattern) {
    sonde::seconds sum{};
    for (auto const& site : loop.sites) sum += site.waiting[static_cast<std::size_t>(pattern)];
    return sum.count() * 1e6;
}

/// What each rank caused by its work, in microseconds: "0: 120, 2: 5".
std::string charges(loop_waiting const& loop) {
    std::string text;
    for (std::size_t rank = 0; rank != loop.lateness.ranks.size(); ++rank)
        if (auto const us = loop.lateness.ranks[rank].caused_by_work.count() * 1e6; us >= 0.5)
            text +=
                (text.empty() ? "" : ", ") + std::to_string(rank) + ": " + std::to_string(static_cast<int>(us + 0.5));
    return text;
}

/// Calls of a sequence "send to 1, receive from .." that begin at once and end when the last of all ranks has begun.
void made_together(written_trace& t, std::size_t ranks, std::vector<double> const& work) {
    std::vector<double> begins;
    for (std::size_t rank = 0; rank != ranks; ++rank) begins.push_back(t.work(rank, work[rank]));
    auto const last = *std::max_element(begins.begin(), begins.end());
    for (std::size_t rank = 0; rank != ranks; ++rank) t.made(rank, begins[rank], last + 1);
}

} // namespace

TEST_CASE("the waiting of a chain of neighbors is charged to the rank at its begin, not to those between") {
    // Each rank sends to the next one and receives from the one before; rank 0 is 5 us late in each tenth step.
    steps const first{send("Isend", 1), call("Wait", {}, {1})};
    steps const inner{send("Isend", 1), receive("Recv", 3), call("Wait", {}, {1})};
    steps const last{send("Isend", null_partner), receive("Recv", 3), call("Wait", {}, {1})};
    written_trace t{{first, inner, inner, last}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        double sent = 0; // by the rank before
        for (std::size_t rank = 0; rank != 4; ++rank) {
            auto const begin = t.work(rank, rank == 0 && pass % 10 == 4 ? 25 : 10);
            t.made(rank, begin, begin);
            if (rank != 0) t.made(rank, begin, std::max(begin, sent) + 2);
            auto const wait = rank == 0 ? begin : t.end(rank);
            t.made(rank, wait, wait + (rank == 0 ? 3 : 1));
            sent = begin;
        }
    }
    auto const loop = t.loop();
    // Rank 1 waits 15 us, rank 2 one step later, rank 3 two steps later.
    CHECK(waiting_us(loop, wait_pattern::late_sender) == Approx(24 * 45));
    CHECK(charges(loop) == "0: 1080");
    REQUIRE(loop.lateness.late.size() == 1);
    CHECK(loop.lateness.late[0].rank == 0);
    CHECK(loop.lateness.late[0].work.name == "work before Isend at a+0x1");
    CHECK(loop.lateness.late[0].steps.size() == 24);
}
TEST_CASE("a rank that is late at a collective is named with the call before which it works") {
    auto const loop = collective_after([](std::size_t rank, std::size_t) { return rank == 2 ? 15 : 10; }, "Allreduce");
    CHECK(waiting_us(loop, wait_pattern::wait_at_nxn) == Approx(3 * 239 * 5));
    CHECK(loop.lateness.observed.count() * 1e6 == Approx(4 * 239 * 17));
    CHECK(charges(loop) == "2: 3585");
    CHECK(waiting_text({{loop}, ""}) == R"(
Waiting in phase 2, 240 passes
Ranks waited 22.1 % of the loop (95 % interval 22.1 to 22.1 %).
Rank 2 caused 100 % of it: it reached `Allreduce at a+0x1` 5.00 us late in 239 of 239 steps, because its `work before Allreduce at a+0x1` took 1.5 times the other ranks' median.
call         time  waiting  wait at NxN  caused  call site
Allreduce  33.8 %   22.1 %       22.1 %  22.1 %  a+0x1
rank  waited   caused  by transfer
2      0.0 %  100.0 %        0.0 %
0     29.4 %    0.0 %        0.0 %
1     29.4 %    0.0 %        0.0 %
3     29.4 %    0.0 %        0.0 %
)");
    auto const at_barrier =
        collective_after([](std::size_t rank, std::size_t) { return rank == 1 ? 15 : 10; }, "Barrier", 2);
    CHECK(waiting_us(at_barrier, wait_pattern::wait_at_barrier) == Approx(239 * 5));
    REQUIRE(at_barrier.lateness.late.size() == 1); // of two ranks the slower one
    CHECK(at_barrier.lateness.late[0].rank == 1);
}
TEST_CASE("a rank that is late in each tenth pass is named with its passes") {
    auto const loop = collective_after(
        [](std::size_t rank, std::size_t pass) { return rank == 1 && pass % 10 == 9 ? 30 : 10; }, "Allreduce");
    CHECK(sonde::sentences(loop.lateness)[1] ==
          "Rank 1 caused 100 % of it: it reached `Allreduce at a+0x1` 20.0 us late in 24 of 239 steps (9, 19, 29, ..: "
          "every 10th), because its `work before Allreduce at a+0x1` took 3.0 times its median there.");
}
TEST_CASE("equal ranks do not wait, and an imbalance that moves names no rank") {
    auto const none = collective_after([](std::size_t, std::size_t) { return 10; }, "Allreduce");
    CHECK(charges(none).empty());
    CHECK(sonde::sentences(none.lateness) == std::vector<std::string>{"Waiting is below 1 % of the loop."});
    CHECK(waiting_table(none).size() == 1);
    auto const moving = collective_after(
        [](std::size_t rank, std::size_t pass) { return pass * 7 % 4 == rank ? 15 : 10; }, "Allreduce");
    CHECK(moving.lateness.late.empty());
    CHECK(sonde::sentences(moving.lateness)[1] == "No rank stands out: another rank is late in each step.");
}
TEST_CASE("passes of an inner loop that are not kept are no time of the loop, and their end is no lateness") {
    // 20 inner passes, of which eight are kept: between them all ranks go on for 100 us.
    written_trace t{4, {call("Barrier", {})}, 20};
    for (std::size_t pass = 0; pass != pass_count; ++pass)
        for (std::size_t inner = 0; inner != 8; ++inner) {
            auto const begin = std::max(t.end(0), t.end(1)) + 100;
            for (std::size_t rank = 0; rank != 4; ++rank) {
                auto const work = rank == 1 ? 15.0 : 10.0;
                t.made(rank, begin + work, begin + 17, work);
            }
        }
    auto const loop = t.loop();
    auto const counted = pass_count * 8 - 1;
    CHECK(loop.lateness.observed.count() * 1e6 == Approx(4 * counted * 17));
    CHECK(waiting_us(loop, wait_pattern::wait_at_barrier) == Approx(3 * counted * 5));
    REQUIRE(loop.lateness.late.size() == 1);
    CHECK(loop.lateness.late[0].rank == 1);
    CHECK(loop.lateness.late[0].lateness.count() * 1e6 == Approx(5));
}
TEST_CASE("a send that waits for its receiver has a late receiver, and a short message has not") {
    for (auto const waits : {true, false}) {
        written_trace t{{{send("Send", 1)}, {receive("Recv", 1)}}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            auto const sent = t.work(0, 10), received = sent + (waits ? 4 : 2);
            t.made(0, sent, waits ? received + 1 : sent + 1);
            t.made(1, received, received + 1);
        }
        auto const loop = t.loop();
        CHECK(waiting_us(loop, wait_pattern::late_receiver) == Approx(waits ? 239 * 4 : 0));
        CHECK(waiting_us(loop, wait_pattern::late_sender) == 0);
    }
}
TEST_CASE("a late root of a broadcast, and a root that reduces early") {
    for (auto const is_broadcast : {true, false}) {
        written_trace t{3, {rooted(is_broadcast ? "Bcast" : "Reduce"), call("Barrier", {})}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            std::vector<double> begins;
            for (std::size_t rank = 0; rank != 3; ++rank)
                begins.push_back(t.work(rank, (rank == 0) == is_broadcast && rank != 2 ? 18 : 10));
            auto const last = *std::max_element(begins.begin(), begins.end());
            for (std::size_t rank = 0; rank != 3; ++rank) {
                auto const awaits = (rank == 0) != is_broadcast;
                t.made(rank, begins[rank], (awaits ? last : begins[rank]) + 1);
            }
            for (std::size_t rank = 0; rank != 3; ++rank) t.made(rank, t.end(rank), last + 3);
        }
        auto const loop = t.loop();
        auto const pattern = is_broadcast ? wait_pattern::late_broadcast : wait_pattern::early_reduce;
        CHECK(waiting_us(loop, pattern) == Approx(239 * 8 * (is_broadcast ? 2 : 1)));
        REQUIRE(loop.lateness.late.size() == 1);
        CHECK(loop.lateness.late[0].rank == (is_broadcast ? 0 : 1));
    }
}
TEST_CASE("a rank that computes between its send and its completion is waited for at the send") {
    // A ring whose ranks compute while messages are under way; rank 1 takes 5 us longer.
    written_trace t{3, {receive("Irecv", 2), send("Isend", 1), call("Waitall", {}, {2, 1})}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        std::vector<double> sent;
        for (std::size_t rank = 0; rank != 3; ++rank) {
            sent.push_back(t.work(rank, 0));
            t.made(rank, sent[rank], sent[rank]);
            t.made(rank, sent[rank], sent[rank]);
        }
        for (std::size_t rank = 0; rank != 3; ++rank) {
            auto const begin = t.work(rank, rank == 1 ? 15 : 10);
            t.made(rank, begin, std::max(begin, sent[(rank + 2) % 3]) + 1);
        }
    }
    auto const loop = t.loop();
    REQUIRE(loop.lateness.late.size() == 1);
    CHECK(loop.lateness.late[0].rank == 1);
    CHECK(loop.lateness.late[0].work.name == "work before Waitall at a+0x1");
    CHECK(waiting_us(loop, wait_pattern::late_sender) > 0.9 * 2 * 239 * 5);
}
TEST_CASE("pairs that make the same calls have one exchange, and calls between posts and their completion their own") {
    // In the first exchange 0 and 1, 2 and 3 are partners; then a collective while messages are under way.
    steps const even{call("Sendrecv", {.to = 1, .tag = 0, .from = 1, .recv_tag = 0, .count = 1, .recv_count = 1}),
                     send("Isend", 2), receive("Irecv", 2), call("Allreduce", {.count = 1}),
                     call("Waitall", {}, {2, 1})};
    auto odd = even;
    odd[0].what.to = odd[0].what.from = 3;
    written_trace t{{even, odd, even, odd}};
    for (std::size_t pass = 0; pass != pass_count; ++pass)
        for (std::size_t i = 0; i != 5; ++i) made_together(t, 4, {10, 10, 10, i == 0 ? 14.0 : 10});
    auto const loop = t.loop();
    REQUIRE(loop.lateness.exchanges.size() == 3);
    for (auto const& e : loop.lateness.exchanges) CHECK(e.passes == pass_count);
    CHECK(loop.lateness.exchanges[0].name == "Sendrecv at a+0x1");
    CHECK(loop.lateness.exchanges[1].name == "Allreduce at a+0x1");
    CHECK(loop.lateness.exchanges[2].name == "Waitall at a+0x1");
    CHECK(waiting_us(loop, wait_pattern::late_sender) == Approx(239 * 4)); // rank 2 alone has a late partner
}
TEST_CASE("waiting within the errors of the clocks is none, and a clock's offset and drift are taken off") {
    auto const trace_with = [](rank_clock second) {
        written_trace t{2, {call("Barrier", {})}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            auto const first = t.work(0, 10);
            t.made(0, first, first + 6);
            t.made(1, first + 4, first + 6);
        }
        t.of().threads[1].clock = second;
        return t.loop();
    };
    auto const waiting = [&](rank_clock second) {
        return waiting_us(trace_with(second), wait_pattern::wait_at_barrier);
    };
    CHECK(waiting({}) == Approx(239 * 4));
    CHECK(waiting({-4e-6, 0, 0}) == Approx(0));
    CHECK(waiting({0, 0, 3e-6}) == Approx(239 * 4));
    CHECK(waiting({0, 0, 5e-6}) == 0);
    CHECK(sonde::sentences(trace_with({0, 0, 5e-6}).lateness).back() ==
          "Shorter waits than 5.00 us, the error of the ranks' clocks, count as transfer.");
    CHECK(rank_clock{2, 1e-3, 0}.global(10) == Approx(12.01));
}
TEST_CASE("a receive from any source waits for a rank that may have sent its message") {
    for (auto const is_known : {true, false}) {
        written_trace t{{{send("Send", 1)}, {receive("Recv", any_partner)}}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            auto const sent = t.work(0, 10);
            t.made(0, sent, sent + 1);
            t.made(1, t.work(1, 0), sent + 2);
        }
        if (is_known) t.of().threads[1].matched[0].emplace_back(0, 16);
        auto const loop = t.loop();
        CHECK(loop.lateness.exchanges.size() == 1);
        CHECK(waiting_us(loop, wait_pattern::late_sender) > 239 * 7);
    }
}
TEST_CASE("traces whose ranks cannot be compared say why") {
    auto const fault = [](auto change) {
        written_trace t{2, {call("Barrier", {})}};
        for (std::size_t pass = 0; pass != pass_count; ++pass)
            for (std::size_t rank = 0; rank != 2; ++rank) t.made(rank, t.work(rank, 1), t.work(rank, 2));
        change(t.of());
        return waiting_text(t.waiting());
    };
    CHECK(fault([](trace& t) { t.threads[1].thread = 1; }) ==
          "\nWaiting is not known: ranks call MPI from several threads.\n");
    CHECK(fault([](trace& t) { t.about.ranks = 3; }) == "\nWaiting is not known: not all ranks are recorded.\n");
    CHECK(fault([](trace& t) { t.remarks.push_back("cut"); }) == "\nWaiting is not known: the trace is cut.\n");
    CHECK(fault([](trace& t) { t.threads[0].dropped = 1; }) == "\nWaiting is not known: calls are missing.\n");
    CHECK(fault([](trace& t) { t.programs[1].body[0].passes = 33; }).find("no loop of all ranks") != std::string::npos);
}

} // namespace waiting_tests
