// SPDX-License-Identifier: BSL-1.0
#include "sim_nodes_support.hpp"

#include <sonde/sim/rma/window.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::sim::nodes;

namespace {

/// What f(process&) answers on each rank of a world of nodes.
template <class F>
auto on_nodes(nodes on, log_gp within, F f) {
    std::vector<decltype(f(std::declval<process&>()))> answers(on.of_rank.size());
    sonde::sim::world{on, within}.run(
        [&](process& self) { answers[static_cast<std::size_t>(self.rank())] = f(self); });
    return answers;
}

struct message {
    int from, to;
    std::size_t bytes;
    picoseconds at{};
};

/// When each message arrives (ns); all are sent before any is awaited.
std::vector<long long> arrivals(std::vector<int> of_rank, std::vector<message> const& sent) {
    std::vector<long long> found(sent.size());
    on_nodes({std::move(of_rank), byte_a_ns(16, 4ns)}, {}, [&](process& self) {
        for (auto const& m : sent) {
            if (m.from != self.rank()) continue;
            self.wait_until(m.at);
            std::vector<std::byte> content(m.bytes);
            self.link(m.to, static_cast<int>(&m - sent.data())).send(content);
        }
        for (std::size_t i = 0; i != sent.size(); ++i) {
            if (sent[i].to != self.rank()) continue;
            std::vector<std::byte> content(sent[i].bytes);
            self.link(sent[i].from, static_cast<int>(i)).recv(content);
            found[i] = ns(self.now());
        }
        return 0;
    });
    return found;
}

using times = std::vector<long long>;

} // namespace

TEST_CASE("nodes: a message between nodes takes overhead, start-up, its bytes at the link's rate, overhead") {
    auto const left = on_nodes({{0, 1}, byte_a_ns(16, 40ns)}, {1us, 5us, 3us, 2ns}, [](process& self) {
        std::vector<std::byte> content(100);
        if (self.rank() == 0) self.link(1).send(content);
        else self.link(0).recv(content);
        return ns(self.now());
    });
    CHECK(left == times{1000, 1000 + 40 + 100 + 1000});
}

TEST_CASE("nodes: ranks of one node talk as in a world without nodes, while its link is busy") {
    auto const talk = [](process& self) {
        std::vector<std::byte> content(1001);
        if (self.rank() == 0) self.link(2).send(content); // another node, where there are any
        if (self.rank() < 2) {
            sonde::ping_pong p{self.link(1 - self.rank()), self.rank() == 0 ? role::initiator : role::responder,
                               sonde::slice{content}, sonde::slice{content}};
            for (int i = 0; i != 3; ++i) p();
        }
        return ns(self.now());
    };
    auto const found = on_nodes({{0, 0, 1}, byte_a_ns(16, 40ns)}, {1us, 5us, 3us, 2ns}, talk);
    CHECK(found[0] == 1000 + 6 * (1000 + 2000 + 5000 + 1000));
}

TEST_CASE("nodes: messages of one rank follow one another without a gap, and are not cut into turns") {
    CHECK(arrivals({0, 1}, {{0, 1, 100}, {0, 1, 50}, {0, 1, 1}}) == times{104, 154, 155});
    CHECK(arrivals({0, 1, 1}, {{0, 1, 100}, {0, 2, 1}}) == times{104, 105}); // also to another rank
}

TEST_CASE("nodes: messages of different ranks of a node take turns chunk by chunk") {
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 160}, {1, 3, 16}}) == times{4 + 176, 4 + 32});
    CHECK(arrivals({0, 0, 0, 1, 1, 1}, {{2, 3, 20}, {0, 4, 36}, {1, 5, 16}}) == times{4 + 68, 4 + 72, 4 + 32});
}

TEST_CASE("nodes: a message that comes later has its turn after the chunk that is flowing") {
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 64}, {1, 3, 16, 20ns}}) == times{4 + 80, 4 + 48});
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 64}, {1, 3, 16, 16ns}}) == times{4 + 80, 4 + 32}); // as that one ends
    // of two that wait the one that has waited longer
    CHECK(arrivals({0, 0, 0, 1, 1, 1}, {{0, 3, 64}, {1, 4, 16, 9ns}, {2, 5, 16, 8ns}}) == times{4 + 96, 4 + 48, 4 + 32});
}

TEST_CASE("nodes: the two directions of a link do not disturb each other") {
    CHECK(arrivals({0, 1}, {{0, 1, 100}, {1, 0, 60}}) == times{104, 64});
}

TEST_CASE("nodes: messages from two nodes to a third share its incoming direction, chunk by chunk") {
    CHECK(arrivals({0, 1, 2, 2}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
    CHECK(arrivals({0, 1, 2, 2}, {{0, 2, 32}, {1, 3, 32, 100ns}}) == times{4 + 32, 104 + 32});
    CHECK(arrivals({2, 1, 0, 0}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 64, 4 + 48}); // at equal times by node
}

TEST_CASE("nodes: messages of a node to two others share its outgoing direction") {
    CHECK(arrivals({0, 0, 1, 2}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
}

TEST_CASE("nodes: an empty message takes the start-up alone") {
    CHECK(arrivals({0, 1}, {{0, 1, 0}, {0, 1, 0}}) == times{4, 4});
}

TEST_CASE("nodes: contents arrive, in the order in which a rank sent them") {
    nodes const three{{0, 0, 1, 1, 2, 2}, byte_a_ns(16, 4ns)};
    auto const wrong = on_nodes(three, {}, [](process& self) {
        int found = 0;
        std::vector<std::byte> content(50);
        auto const value = [](int from, int to, int i) { return static_cast<std::byte>(37 * from + 7 * to + i); };
        for (int i = 0; i != 3; ++i)
            for (int to = 0; to != 6; ++to) {
                content.assign(content.size(), value(self.rank(), to, i));
                self.link(to).send(content);
            }
        for (int from = 0; from != 6; ++from)
            for (int i = 0; i != 3; ++i) {
                self.link(from).recv(content);
                for (auto const b : content) found += b == value(from, self.rank(), i) ? 0 : 1;
            }
        return found;
    });
    CHECK(wrong == std::vector<int>(6, 0));
}

namespace {

/// Unequal work, messages of unequal length to all, collectives between.
long long busy_talk(process& self) {
    std::vector<std::byte> content(500);
    auto group = self.group();
    for (int distance = 1; distance != self.size(); ++distance) {
        self.work(std::chrono::nanoseconds{(self.rank() * 7 + distance) % 5});
        auto const bytes = static_cast<std::size_t>(1 + (self.rank() * 131 + distance * 57) % 400);
        self.link((self.rank() + distance) % self.size()).send({content.data(), bytes});
        self.link((self.rank() + self.size() - distance) % self.size()).recv(content);
        if (distance % 2 == 0) group.barrier();
    }
    return self.now().count();
}

} // namespace

TEST_CASE("nodes: times are the same in every run") {
    nodes const three{{0, 1, 2, 0, 1, 2}, byte_a_ns(16, 4ns)};
    auto const first = on_nodes(three, {1ns, 5ns, 0ns, 1ns}, busy_talk);
    for (int run = 0; run != 20; ++run) CHECK(on_nodes(three, {1ns, 5ns, 0ns, 1ns}, busy_talk) == first);
}

TEST_CASE("nodes: a collective leaves all at the time of the latest, with the values combined") {
    auto const seen = on_nodes(sonde::sim::in_blocks(3, 2, byte_a_ns(16, 4ns)), {}, [](process& self) {
        auto group = self.group();
        self.work(std::chrono::microseconds{10 * self.rank()});
        std::array<double, 1> sum{self.rank() + 1.0};
        group.all_reduce(sum, sonde::reduction::sum);
        group.barrier();
        return std::vector<double>{sum[0], double(ns(self.now()))};
    });
    for (auto const& one : seen) CHECK(one == std::vector<double>{21, 50'000});
}

namespace {

template <class F>
void two_nodes(F f) {
    sonde::sim::world{sonde::sim::in_blocks(2, 2, byte_a_ns(16, 4ns))}.run(f);
}

void receive(process& self, int from) {
    std::vector<std::byte> content(1);
    self.link(from).recv(content);
}

} // namespace

TEST_CASE("nodes: ranks that all wait for messages that nobody sends are told so") {
    using sonde::sim::deadlock;
    CHECK_THROWS_AS(two_nodes([](process& self) { receive(self, (self.rank() + 2) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) { receive(self, (self.rank() + 1) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) { if (self.rank() == 3) receive(self, 0); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) { if (self.rank() != 3) self.group().barrier(); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() == 3) receive(self, 0);
                        else self.group().barrier();
                    }),
                    deadlock);
}

TEST_CASE("nodes: an exception ends the waiting of all others, and is what comes out") {
    auto const one_fails = [](auto wait) {
        two_nodes([&](process& self) {
            if (self.rank() == 1) throw std::domain_error{"rank 1"};
            wait(self);
        });
    };
    CHECK_THROWS_WITH_AS(one_fails([](process& self) { self.group().barrier(); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([](process& self) { receive(self, 1); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([](process&) {}), "rank 1", std::domain_error);
}

TEST_CASE("nodes: a link on which nothing could be sent is refused, so is a window") {
    using sonde::sim::world;
    auto const rate = sonde::model::rate{1e9};
    CHECK_THROWS_AS((world{{{0, 1}, {0, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, sonde::model::rate{}, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, -1}, {16, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS(two_nodes([](process& self) { sonde::sim::window{self, {}}; }), std::invalid_argument);
}
