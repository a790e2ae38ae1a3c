// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/beside.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

// Two pairs of ranks share the links of two nodes: ranks 0 and 2 exchange messages, ranks 1 and 3 are the load.

namespace {

/// A link with a nanosecond a byte, whose ranks alternate after 16 bytes.
constexpr sonde::sim::shared_link byte_a_ns{16, sonde::model::rate{1e9}, 0ns};

/// A long message in each direction between ranks 1 and 3 over the shared links.
struct long_messages {
    process* self;
    std::size_t bytes;

    int peer() const { return self->rank() == 1 ? 3 : 1; }
    bool takes_part() const { return self->rank() % 2 == 1; }
    void start() const {
        if (takes_part()) self->link(peer(), 7).send(std::vector<std::byte>(bytes));
    }
    void stop() const {
        std::vector<std::byte> received(bytes);
        if (takes_part()) self->link(peer(), 7).recv(received);
    }
};

/// The comparison of round trips of `bytes` alone and beside messages of `load_bytes`, on rank 0.
sonde::comparison round_trips(std::size_t bytes, std::size_t load_bytes) {
    sonde::comparison found;
    sonde::sim::world{sonde::sim::block_distribution(2, 2, byte_a_ns)}.run([&](process& self) {
        std::vector<std::byte> out(bytes), in(bytes);
        auto group = self.group();
        auto const pair = self.rank() % 2 == 0 ? sonde::pair_of(self.rank() / 2, 1) : sonde::pairing{};
        auto const peer = pair.role == role::idle ? sonde::no_peer : 2 * pair.peer;
        sonde::ping_pong pattern{self.link(peer), pair.role, sonde::slice{out}, sonde::slice{in}};
        long_messages load{&self, load_bytes};
        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{20}).timed_by(self.clock());
        auto const r = sonde::compare_beside(group, plan, load, pattern, {"round trip", {{"bytes", bytes}}}, "long");
        if (self.rank() == 0) found = r;
    });
    return found;
}

/// Notes the calls of a load and of an exchange.
struct noting_load {
    std::string* log;
    void start() const { *log += '['; }
    void stop() const { *log += ']'; }
};
struct noting_exchange {
    std::string* log;
    void operator()() const { *log += '.'; }
};

/// A load and an exchange whose n-th call, of all, throws on rank 1.
struct failing_calls {
    process* self;
    int fails_at;
    int calls = 0;

    void count() {
        if (self->rank() == 1 && calls++ == fails_at) throw std::runtime_error{"the call failed"};
    }
    void start() { count(); }
    void stop() { count(); }
};
struct failing_exchange {
    failing_calls* all;
    void operator()() const {}
    void before_sample() const { all->count(); }
    void after_sample(auto const&, auto const&) const { all->count(); }
    void after_warmup() const { all->count(); }
};

/// What each of three ranks says of a comparison beside a load, one of whose calls throws on rank 1.
std::vector<std::string> said_by_ranks(int fails_at) {
    std::vector<std::string> said(3);
    sonde::sim::world{3, {}}.run([&](process& self) {
        auto group = self.group();
        failing_calls load{&self, fails_at};
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{2}).timed_by(self.clock()).agree_on_errors();
        try {
            (void)sonde::compare_beside(group, plan, load, failing_exchange{&load}, {"exchange"});
        } catch (std::exception const& e) {
            said[static_cast<std::size_t>(self.rank())] = e.what();
        }
    });
    return said;
}

std::uint64_t next_bits(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

} // namespace

TEST_CASE("a link that is shared with another flow gives half: the slowdown is 2 within 1 %, of P50 and P99") {
    for (std::size_t const bytes : {4096u, 16'384u}) {
        auto const found = round_trips(bytes, 8 * bytes);
        CHECK(ns(found.records[0].series) == std::vector<long long>(20, 2 * static_cast<long long>(bytes)));
        auto const middle = sonde::median_slowdown(found);
        CHECK(middle.value == doctest::Approx(2).epsilon(0.01));
        REQUIRE(middle.interval);
        CHECK(middle.interval->low == doctest::Approx(2).epsilon(0.01));
        CHECK(middle.interval->high == doctest::Approx(2).epsilon(0.01));
        CHECK(sonde::quantile_slowdown(found, 0.99).value == doctest::Approx(2).epsilon(0.01));
        CHECK(sonde::classify(found, 1) == sonde::outcome::slower);
    }
}

TEST_CASE("a load that ends after a part of the exchange slows that part only") {
    constexpr std::size_t bytes = 16'384;
    // Each leg of the round trip waits for a quarter of its length, but the answer's direction was free meanwhile.
    auto const found = round_trips(bytes, bytes / 4);
    CHECK(sonde::median_slowdown(found).value == doctest::Approx(1.125).epsilon(0.01));
}

TEST_CASE("a load of nothing has no effect, and the samples of both alternatives are told apart by their points") {
    auto const found = round_trips(4096, 0);
    CHECK(sonde::median_slowdown(found).value == 1);
    CHECK(sonde::classify(found, 1) == sonde::outcome::undecided);
    CHECK(found.records[0].point.parameters.back().text == "nothing");
    CHECK(found.records[1].point.parameters.back().text == "long");
    CHECK(found.records[1].point.parameters.front().name == "bytes");
}

TEST_CASE_FIXTURE(one_rank, "the load runs during the whole warm-up, and in each sample that is beside it, only") {
    std::string log;
    noting_load const load{&log};
    (void)sonde::run(group, plan(2).warmup(3).batch(2), sonde::beside{group, load, noting_exchange{&log}});
    CHECK(log == "[...][..][..]");
    log.clear();
    (void)sonde::compare_beside(group, plan(2).warmup(1), load, noting_exchange{&log}, {"exchange"});
    auto const turns = log.substr(4);
    CHECK(log.substr(0, 4) == ".[.]");
    CHECK((turns == ".[.][.]." || turns == "[.]..[.]"));
}

TEST_CASE("a load or a hook that throws on a rank makes all ranks throw, under a plan that agrees on errors") {
    constexpr int calls = 6 + 2 * (2 + 4); // of the warm-up, and of two samples alone and two beside the load
    for (int at = 0; at != calls; ++at) {
        CAPTURE(at);
        auto const said = said_by_ranks(at);
        CHECK(said[1] == "the call failed");
        for (auto const& other : {said[0], said[2]}) CHECK(other.ends_with("rank 1"));
    }
    CHECK(said_by_ranks(calls) == std::vector<std::string>(3));
}

TEST_CASE("without a slowdown the interval of P99's misses 1 in at most 5 % of trials, also for correlated times") {
    std::uint64_t state = 7;
    for (auto const held : {1, 4}) { // samples in a row with one value
        int wrong = 0;
        for (int trial = 0; trial != 400; ++trial) {
            sonde::comparison made{{{}, {}}};
            for (auto& r : made.records)
                for (int i = 0; i != 1000; ++i)
                    r.series.push_back(i % held != 0
                                           ? r.series.back()
                                           : sonde::seconds{1e-6 * (1 + 1e-9 * static_cast<double>(next_bits(state)))});
            for (auto& r : made.records) r.initiators = 1;
            auto const found = sonde::quantile_slowdown(made, 0.99).interval;
            wrong += found && (found->low > 1 || found->high < 1) ? 1 : 0;
        }
        CHECK(wrong <= 20);
    }
}

TEST_CASE("P99 of few samples has no interval, and a record without times no slowdown") {
    sonde::comparison made{{{}, {}}};
    for (auto& r : made.records) {
        r.series = of_ns(std::vector<long long>(50, 1000));
        r.ranks = 2;
    }
    CHECK(sonde::median_slowdown(made).value == 0);
    CHECK_FALSE(sonde::quantile_slowdown(made, 0.99).interval);
    for (auto& r : made.records) r.initiators = 1;
    CHECK(sonde::quantile_slowdown(made, 0.99).value == 1);
    CHECK_FALSE(sonde::quantile_slowdown(made, 0.99).interval);
    CHECK(sonde::median_slowdown(made).interval);
    for (auto const n : {635u, 636u}) {
        for (auto& r : made.records) r.series = of_ns(std::vector<long long>(n, 1000));
        CHECK(sonde::quantile_slowdown(made, 0.99).interval.has_value() == (n == 636));
    }
}
