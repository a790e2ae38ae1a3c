// SPDX-License-Identifier: BSL-1.0
#include "cluster_support.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

TEST_CASE("cluster: contents arrive, in the order in which a rank sent them") {
    cluster const three{{0, 0, 1, 1, 2, 2}, byte_a_ns(16, 4ns)};
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

/// Unequal work, messages of unequal length to all ranks, and collectives.
long long work_and_messages(process& self) {
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

TEST_CASE("cluster: times are the same in every run") {
    cluster const three{{0, 1, 2, 0, 1, 2}, byte_a_ns(16, 4ns)};
    auto const first = on_nodes(three, {1ns, 5ns, 0ns, 1ns}, work_and_messages);
    for (int run = 0; run != 20; ++run) CHECK(on_nodes(three, {1ns, 5ns, 0ns, 1ns}, work_and_messages) == first);
}

TEST_CASE("cluster: a collective ends on all ranks at the time of the latest, with the values combined") {
    auto const seen = on_nodes(sonde::sim::block_distribution(3, 2, byte_a_ns(16, 4ns)), {}, [](process& self) {
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
    sonde::sim::world{sonde::sim::block_distribution(2, 2, byte_a_ns(16, 4ns))}.run(f);
}

void receive(process& self, int from) {
    std::vector<std::byte> content(1);
    self.link(from).recv(content);
}

} // namespace

TEST_CASE("cluster: ranks that all wait for messages that no rank sends throw deadlock") {
    using sonde::sim::deadlock;
    CHECK_THROWS_AS(two_nodes([](process& self) { receive(self, (self.rank() + 2) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) { receive(self, (self.rank() + 1) % 4); }), deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() == 3) receive(self, 0);
                    }),
                    deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() != 3) self.group().barrier();
                    }),
                    deadlock);
    CHECK_THROWS_AS(two_nodes([](process& self) {
                        if (self.rank() == 3) receive(self, 0);
                        else self.group().barrier();
                    }),
                    deadlock);
}

TEST_CASE("cluster: an exception ends the waiting of all others, and is rethrown") {
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

TEST_CASE("cluster: every wait for a failed rank throws") {
    int failures = 0;
    auto const keeps_waiting = [&](process& self) {
        if (self.rank() == 1) throw std::domain_error{"rank 1"};
        for (int i = 0; i != 3; ++i) {
            try {
                if (i == 1) receive(self, 1);
                else self.group().barrier();
            } catch (sonde::peer_failed const&) {
                if (self.rank() == 0) ++failures;
            }
        }
    };
    CHECK_THROWS_AS(two_nodes(keeps_waiting), std::domain_error);
    CHECK(failures == 3);
}

TEST_CASE("invalid links and nodes are refused, and so is a window on a cluster") {
    using sonde::sim::world;
    auto const rate = sonde::model::rate{1e9};
    CHECK_THROWS_AS((world{{{0, 1}, {0, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, sonde::model::rate{}, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, rate, -1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, -1}, {16, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS(two_nodes([](process& self) { sonde::sim::window{self, {}}; }), std::invalid_argument);
}
