// SPDX-License-Identifier: BSL-1.0

// Traces in which every time is known, in microseconds: a step of a rank is its work, then its calls.

#include "tools/replay/show/waiting_text.hpp"
#include "tools/replay/waiting/delay_costs.hpp"
#include "tools/replay/waiting/loop_waiting.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace waiting_tests {

using namespace tools::replay;

namespace {

using steps = std::vector<step>;
using doctest::Approx;

constexpr std::size_t pass_count = 32;

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
        REQUIRE(found.loops[0].fault == "");
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

double waiting_us(loop_waiting const& loop, wait_pattern pattern) {
    double sum = 0;
    for (auto const& site : loop.sites) sum += site.waiting[static_cast<std::size_t>(pattern)];
    return sum * 1e6;
}

/// The charges of a loop as "rank: us".
std::string charges(loop_waiting const& loop) {
    std::string text;
    for (auto const& c : loop.charges)
        text += (text.empty() ? "" : ", ") + std::to_string(c.rank) + ": " +
                std::to_string(static_cast<int>(c.seconds * 1e6 + 0.5));
    return text;
}

} // namespace

TEST_CASE("the waiting of a chain of neighbors is charged to the rank at its begin, not to those between") {
    // Each rank sends to the next one and receives from the one before; rank 0 is 5 us late in each fourth step.
    steps const first{send("Isend", 1), call("Wait", {}, {1})};
    steps const inner{send("Isend", 1), receive("Recv", 3), call("Wait", {}, {1})};
    steps const last{send("Isend", null_partner), receive("Recv", 3), call("Wait", {}, {1})};
    written_trace t{{first, inner, inner, last}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        double sent = 0; // by the rank before
        for (std::size_t rank = 0; rank != 4; ++rank) {
            auto const begin = t.work(rank, rank == 0 && pass % 4 == 0 ? 15 : 10);
            t.made(rank, begin, begin);
            if (rank != 0) t.made(rank, begin, std::max(begin, sent) + 2);
            auto const wait = rank == 0 ? begin + 2 : t.end(rank);
            t.made(rank, wait, wait + 1);
            sent = begin;
        }
    }
    auto const loop = t.loop();
    // Rank 1 waits 5 us, rank 2 one step later, rank 3 two steps later.
    CHECK(waiting_us(loop, wait_pattern::late_sender) == Approx(8 * 15));
    CHECK(loop.waiting * 1e6 == Approx(8 * 15));
    CHECK(charges(loop) == "0: 120");
    CHECK(loop.charges[0].blocks == 8);
    REQUIRE(loop.late.size() == 1);
    CHECK(loop.late[0].charge.rank == 0);
    CHECK(loop.late[0].charge.most.kind == delay_kind::computation);
    CHECK(loop.late[0].place.call == "Isend");
    CHECK(loop.late[0].seconds * 1e6 == Approx(11.25));
}
TEST_CASE("a rank that is late at a collective is named with its work") {
    auto const loop = collective_after([](std::size_t rank, std::size_t) { return rank == 2 ? 15 : 10; }, "Allreduce");
    CHECK(waiting_us(loop, wait_pattern::wait_at_nxn) == Approx(3 * 32 * 5));
    CHECK(loop.seconds * 1e6 == Approx(4 * 32 * 17));
    CHECK(charges(loop) == "2: 480");
    REQUIRE(loop.late.size() == 1);
    CHECK(loop.late[0].charge.rank == 2);
    CHECK(loop.late[0].place.call == "Allreduce");
    CHECK(loop.late[0].seconds * 1e6 == Approx(15));
    CHECK(loop.late[0].median * 1e6 == Approx(10));
    CHECK(waiting_sentences(loop) ==
          std::vector<std::string>{"Ranks waited 22.1 % of the loop.",
                                   "Rank 2 caused 100 % of it: it works 15.00 us before Allreduce at a+0x1; the ranks' "
                                   "median is 10.00 us."});
    CHECK(waiting_table(loop) ==
          std::vector<tools::cells>{{"call", "time", "waiting", "wait at NxN", "caused", "call site"},
                                    {"Allreduce", "33.8 %", "22.1 %", "22.1 %", "22.1 %", "a+0x1"}});
    auto const at_barrier =
        collective_after([](std::size_t rank, std::size_t) { return rank == 1 ? 15 : 10; }, "Barrier", 2);
    CHECK(waiting_us(at_barrier, wait_pattern::wait_at_barrier) == Approx(32 * 5));
    REQUIRE(at_barrier.late.size() == 1); // of two ranks the slower one
    CHECK(at_barrier.late[0].charge.rank == 1);
}
TEST_CASE("equal ranks do not wait, and a little waiting is said to be little") {
    auto const none = collective_after([](std::size_t, std::size_t) { return 10; }, "Allreduce");
    CHECK(none.waiting == 0);
    CHECK(none.charges.empty());
    CHECK(waiting_sentences(none) == std::vector<std::string>{"Waiting is below 1 % of the loop."});
    CHECK(waiting_table(none).size() == 1);
    auto const little =
        collective_after([](std::size_t rank, std::size_t) { return rank == 2 ? 1006 : 1000; }, "Allreduce");
    CHECK(little.waiting > 0);
    CHECK(little.late.empty());
    CHECK(waiting_sentences(little) == std::vector<std::string>{"Waiting is below 1 % of the loop."});
}
TEST_CASE("an imbalance that moves names no rank") {
    auto const loop = collective_after(
        [](std::size_t rank, std::size_t pass) { return pass / 4 % 4 == rank ? 15 : 10; }, "Allreduce");
    CHECK(charges(loop) == "0: 120, 1: 120, 2: 120, 3: 120");
    CHECK(loop.late.empty());
    CHECK(waiting_sentences(loop) ==
          std::vector<std::string>{"Ranks waited 22.1 % of the loop.",
                                   "No rank stands out: another rank is late in each part of the loop."});
}
TEST_CASE("two ranks that are late at once are both named, if there are eight or more") {
    std::mt19937_64 random{3};
    std::exponential_distribution<double> noise{1.0};
    auto const work = [&](std::size_t rank, std::size_t) { return (rank % 8 == 3 ? 15 : 10) + noise(random); };
    auto const of_16 = collective_after(work, "Allreduce", 16);
    REQUIRE(of_16.late.size() == 2);
    CHECK(std::min(of_16.late[0].charge.rank, of_16.late[1].charge.rank) == 3);
    CHECK(std::max(of_16.late[0].charge.rank, of_16.late[1].charge.rank) == 11);
    auto const sentences = waiting_sentences(of_16);
    REQUIRE(sentences.size() == 3);
    CHECK(sentences[1].starts_with("Rank " + std::to_string(of_16.late[0].charge.rank) + " caused "));
    CHECK(sentences[2].starts_with("Rank " + std::to_string(of_16.late[1].charge.rank) + " caused "));
}
TEST_CASE("a rank that is late in every pass is named beside long disturbances of others") {
    std::mt19937_64 random{3};
    auto const work = [&](std::size_t rank, std::size_t) {
        return random() % 40 == 0 ? 60.0 : rank == 2 ? 15.0 : 10.0;
    };
    auto const loop = collective_after(work, "Allreduce");
    REQUIRE(loop.late.size() == 1);
    CHECK(loop.late[0].charge.rank == 2);
}
TEST_CASE("a rank that a collective lets go on later is not late") {
    written_trace t{2, {call("Allreduce", {}), call("Barrier", {})}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        auto const begin = t.end(0) + 10;
        for (std::size_t rank = 0; rank != 2; ++rank) t.made(rank, begin, begin + (rank == 0 ? 2 : 7));
        for (std::size_t rank = 0; rank != 2; ++rank) t.made(rank, t.end(rank) + 1, begin + 10);
    }
    auto const loop = t.loop();
    CHECK(waiting_us(loop, wait_pattern::wait_at_barrier) == Approx(32 * 5));
    CHECK(loop.charges.empty());
    CHECK(loop.late.empty());
}
TEST_CASE("what ranks waited for before the kept passes has the causes of these passes") {
    // A chain of 16 ranks, of which rank 8 is late in each step: far ranks wait for what it did before a block.
    steps const all{send("Isend", 1), send("Isend", 15), receive("Recv", 15), receive("Recv", 1),
                    call("Waitall", {}, {2, 1})};
    std::vector<steps> chain(16, all);
    for (auto const i : {1u, 2u}) chain[0][i].what.to = chain[0][i].what.from = null_partner;
    for (auto const i : {0u, 3u}) chain[15][i].what.to = chain[15][i].what.from = null_partner;
    written_trace t{chain};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        std::vector<double> begin;
        for (std::size_t rank = 0; rank != 16; ++rank) {
            auto const first = 5 * std::fabs(static_cast<double>(rank) - 8); // as if it had gone on for long
            begin.push_back((pass == 0 ? 100 - first : t.end(rank)) + (rank == 8 ? 15 : 10));
        }
        for (std::size_t rank = 0; rank != 16; ++rank) {
            auto const left = rank == 0 ? 0 : begin[rank - 1], right = rank == 15 ? 0 : begin[rank + 1];
            t.made(rank, begin[rank], begin[rank], rank == 8 ? 15 : 10);
            t.made(rank, begin[rank], begin[rank]);
            t.made(rank, begin[rank], std::max(begin[rank], left));
            t.made(rank, t.end(rank), std::max(t.end(rank), right));
            t.made(rank, t.end(rank), t.end(rank) + 1);
        }
    }
    auto const loop = t.loop();
    CHECK(loop.charges[0].rank == 8);
    CHECK(loop.charged < loop.waiting / 2);
    REQUIRE(loop.late.size() == 1);
    CHECK(loop.late[0].charge.rank == 8);
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
    CHECK(loop.seconds * 1e6 == Approx(4 * 32 * 8 * 17));
    CHECK(loop.waiting * 1e6 == Approx(3 * 32 * 8 * 5));
    CHECK(charges(loop) == "1: 3840");
    REQUIRE(loop.late.size() == 1);
    CHECK(loop.late[0].seconds * 1e6 == Approx(15));
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
        CHECK(waiting_us(loop, wait_pattern::late_receiver) == Approx(waits ? 32 * 4 : 0));
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
        CHECK(waiting_us(loop, pattern) == Approx(32 * 8 * (is_broadcast ? 2 : 1)));
        REQUIRE(loop.late.size() == 1);
        CHECK(loop.late[0].charge.rank == (is_broadcast ? 0 : 1));
    }
}
TEST_CASE("a slow transfer that makes others wait is named as a transfer, but one that is slow at times is not") {
    auto const slow_in = [](std::size_t every) {
        written_trace t{4, {receive("Irecv", 3), send("Isend", 1), call("Waitall", {}, {2, 1}), call("Barrier", {})}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            for (std::size_t rank = 0; rank != 4; ++rank) {
                auto const begin = t.work(rank, 10);
                t.made(rank, begin, begin + 1);
                t.made(rank, begin + 1, begin + 2);
                t.made(rank, begin + 2, begin + (rank == 3 && pass % every == 0 ? 14 : 6));
            }
            for (std::size_t rank = 0; rank != 4; ++rank) t.made(rank, t.end(rank), t.end(3) + 1);
        }
        return t.loop();
    };
    auto const always = slow_in(1), at_times = slow_in(4);
    CHECK(always.waiting * 1e6 == Approx(3 * 32 * 8));
    CHECK(charges(always) == "3: 768");
    REQUIRE(always.late.size() == 1);
    CHECK(always.late[0].place.call == "Waitall");
    CHECK(waiting_sentences(always)[1] ==
          "The transfer of rank 3 in Waitall at a+0x1 caused 100 % of it: it takes 12.00 "
          "us; the ranks' median is 4.000 us.");
    CHECK(charges(at_times) == "3: 192");
    REQUIRE(at_times.late.size() == 1);
    CHECK_FALSE(at_times.late[0].is_named());
    CHECK(waiting_sentences(at_times)[1].starts_with("Nobody works longer: transfers"));
}
TEST_CASE("ranks that wait by the order of their calls are not late") {
    // Rank 1 works after the message of rank 0, and rank 0 after its answer, equally long.
    written_trace t{{{send("Send", 1), receive("Recv", 1)}, {receive("Recv", 1), send("Send", 1)}}};
    for (std::size_t pass = 0; pass != pass_count; ++pass) {
        auto const sent = t.work(0, 10), answered = sent + 11;
        t.made(1, t.work(1, 0), sent + 1);
        t.made(1, answered, answered + 1);
        t.made(0, sent, sent + 1);
        t.made(0, sent + 1, answered + 1);
    }
    auto const loop = t.loop();
    CHECK(loop.waiting > 0.3 * loop.seconds);
    CHECK(loop.late.empty());
    CHECK(waiting_sentences(loop)[1].starts_with("Nobody is late for most of it"));
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
    CHECK(trace_with({}).waiting * 1e6 == Approx(32 * 4));
    CHECK(trace_with({-4e-6, 0, 0}).waiting * 1e6 == Approx(0));
    CHECK(trace_with({0, 0, 3e-6}).waiting * 1e6 == Approx(32 * 4));
    auto const uncertain = trace_with({0, 0, 5e-6});
    CHECK(uncertain.waiting == 0);
    CHECK(waiting_sentences(uncertain) ==
          std::vector<std::string>{"Waiting is below 1 % of the loop.",
                                   "Shorter waits than 5.000 us, the error of the ranks' clocks, count as transfer."});
    CHECK(rank_clock{2, 1e-3, 0}.global(10) == Approx(12.01));
}
TEST_CASE("receives from any source are left out, but those that one rank always matched") {
    for (auto const sources : {1u, 2u}) {
        written_trace t{{{send("Send", 1)}, {receive("Recv", any_partner)}}};
        for (std::size_t pass = 0; pass != pass_count; ++pass) {
            auto const sent = t.work(0, 10);
            t.made(0, sent, sent + 1);
            t.made(1, t.work(1, 0), sent + 2);
        }
        auto& matched = t.of().threads[1].matched[0];
        for (std::size_t rank = 0; rank != sources; ++rank) matched.emplace_back(static_cast<int>(rank), 16);
        auto const loop = t.loop();
        CHECK((loop.waiting > 0) == (sources == 1));
        CHECK(loop.left_out == (sources == 1 ? 0 : 32));
    }
}
TEST_CASE("healthy runs name a rank once in a hundred at most") {
    std::mt19937_64 random{7};
    std::exponential_distribution<double> noise{1.0 / 5};
    int named = 0, with_effect = 0;
    for (int run = 0; run != 300; ++run) {
        auto const loop = collective_after([&](std::size_t, std::size_t) { return 10 + noise(random); }, "Allreduce");
        named += loop.late.empty() ? 0 : 1;
        with_effect += loop.charges[0].seconds > smallest_charge * loop.seconds ? 1 : 0;
    }
    CHECK(with_effect > 250); // what keeps them from being named is the rate of false alarms
    CHECK(named <= 3);
}
TEST_CASE("the tail of a binomial distribution") {
    CHECK(sonde::detail::binomial_tail(8, 0.25, 0) == 1);
    CHECK(sonde::detail::binomial_tail(8, 0.5, 8) == Approx(1.0 / 256));
    CHECK(sonde::detail::binomial_tail(3, 0.25, 2) == Approx(10.0 / 64));
    CHECK(sonde::detail::binomial_tail(3, 1, 1) == 1);
    CHECK(has_enough_blocks(8, 2)); // 2 / 256
    CHECK_FALSE(has_enough_blocks(7, 2));
    CHECK_FALSE(has_enough_blocks(2, 64)); // 2 * 64 / 64^2
    CHECK(has_enough_blocks(3, 64));
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
