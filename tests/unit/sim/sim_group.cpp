// SPDX-License-Identifier: BSL-1.0
// Groups and links of simulated ranks, on one node and on several.
#include "../../group_conformance.hpp"
#include "../../link_conformance.hpp"
#include "cluster_support.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

using on_each_rank = std::function<void(process&)>;

template <class F>
void two_nodes(F f) {
    sonde::sim::world{sonde::sim::block_distribution(2, 2, byte_a_ns(16, 4ns))}.run(f);
}

/// f(run) for four ranks on one node and on two; run(g) calls g(process&) on each rank.
void each_world(auto f) {
    for (int const nodes : {1, 2}) {
        CAPTURE(nodes);
        f([=](on_each_rank const& g) {
            if (nodes == 1) sonde::sim::world{4, log_gp_network}.run(g);
            else two_nodes(g);
        });
    }
}

void receive(process& self, int from) {
    std::vector<std::byte> content(1);
    self.link(from).recv(content);
}

} // namespace

TEST_CASE("sim: groups and links conform") {
    each_world([](auto run) {
        run([](process& self) {
            auto group = self.group();
            conformance::check_group(group);
            auto const make = [&](int peer) { return self.link(peer); };
            std::byte token{};
            conformance::check_round_trips(group, make);
            conformance::check_windows(group, make, [&](auto& t) {
                return std::pair{self.link(t.at.peer, 1), sonde::slice{{&token, 1}}};
            });
        });
    });
}

TEST_CASE("sim: a collective ends on all ranks at the time of the latest") {
    each_world([](auto run) {
        run([](process& self) {
            auto group = self.group();
            self.work(std::chrono::microseconds{10 * self.rank()});
            std::array<double, 1> one{1};
            group.all_reduce(one, sonde::reduction::sum);
            CHECK(ns(self.now()) == 30'000);
            self.work(std::chrono::microseconds{self.rank() == 2 ? 30 : 1});
            group.barrier();
            CHECK(ns(self.now()) == 60'000);
        });
    });
}

TEST_CASE("sim: an exception ends the waiting of all others, and is rethrown") {
    each_world([](auto run) {
        auto const one_fails = [&](on_each_rank const& wait) {
            run([&](process& self) {
                if (self.rank() == 1) throw std::domain_error{"rank 1"};
                wait(self);
            });
        };
        CHECK_THROWS_WITH_AS(one_fails([](process& self) { self.group().barrier(); }), "rank 1", std::domain_error);
        CHECK_THROWS_WITH_AS(one_fails([](process& self) { receive(self, 1); }), "rank 1", std::domain_error);
        CHECK_THROWS_WITH_AS(one_fails([](process&) {}), "rank 1", std::domain_error);
        int failures = 0; // every wait for a failed rank throws
        auto const keeps_waiting = [&](process& self) {
            for (int i = 0; i != 3; ++i) {
                try {
                    if (i == 1) receive(self, 1);
                    else self.group().barrier();
                } catch (sonde::peer_failed const&) {
                    if (self.rank() == 0) ++failures;
                }
            }
        };
        CHECK_THROWS_AS(one_fails(keeps_waiting), std::domain_error);
        CHECK(failures == 3);
    });
}

TEST_CASE("sim: ranks in different collectives throw") {
    each_world([](auto run) {
        auto const mismatched = [](process& self) {
            std::vector<double> values(self.rank() == 0 ? 2 : 3);
            self.group().all_reduce(values, sonde::reduction::sum);
        };
        CHECK_THROWS_AS(run(mismatched), std::logic_error);
    });
}

namespace {

/// Each rank sends its number to each other one, by messages of unequal length after unequal work, with collectives
/// between; sums in the order of ranks, and its time.
double work_and_messages(process& self) {
    std::vector<std::byte> content(500);
    auto group = self.group();
    double sum = 0;
    for (int distance = 1; distance != self.size(); ++distance) {
        self.work(std::chrono::nanoseconds{(self.rank() * 7 + distance) % 5});
        content[0] = static_cast<std::byte>(self.rank());
        auto const bytes = static_cast<std::size_t>(1 + (self.rank() * 131 + distance * 57) % 400);
        self.link((self.rank() + distance) % self.size()).send({content.data(), bytes});
        self.link((self.rank() + self.size() - distance) % self.size()).recv(content);
        sum = sum / 3 + std::to_integer<int>(content[0]);
        if (distance % 2 == 0) group.barrier();
    }
    std::array<double, 2> shared{sum, 1.0 / (1 + self.rank())};
    group.all_reduce(shared, sonde::reduction::sum);
    return shared[0] + shared[1] + sonde::seconds{self.clock().now()}.count();
}

} // namespace

TEST_CASE("sim: results and times are the same in every run, to the last bit") {
    each_world([](auto run) {
        auto const found = [&] {
            std::vector<double> results(4);
            run([&](process& self) { results[static_cast<std::size_t>(self.rank())] = work_and_messages(self); });
            return results;
        };
        auto const first = found();
        for (int again = 0; again != 50; ++again) CHECK(found() == first);
    });
}

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

TEST_CASE("invalid links and nodes are refused, and so is a window on a cluster") {
    using sonde::sim::world;
    auto const rate = sonde::model::rate{1e9};
    CHECK_THROWS_AS((world{{{0, 1}, {0, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, sonde::model::rate{}, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, 1}, {16, rate, -1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS((world{{{0, -1}, {16, rate, 1ns}}}), std::invalid_argument);
    CHECK_THROWS_AS(two_nodes([](process& self) { sonde::sim::window{self, {}}; }), std::invalid_argument);
}
