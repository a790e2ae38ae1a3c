// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

TEST_CASE("sim::group: a collective ends on all ranks at the time of the latest, with the values combined") {
    auto const seen = on_ranks(3, bandwidth_network, [](process& self) {
        auto group = self.group();
        self.work(std::chrono::microseconds{10 * self.rank()});
        std::array<double, 1> sum{self.rank() + 1.0}, min{5.0 - self.rank()}, max{-1.0 - self.rank()};
        group.all_reduce(sum, sonde::reduction::sum);
        group.all_reduce(min, sonde::reduction::min);
        group.all_reduce(max, sonde::reduction::max);
        return std::vector<double>{sum[0], min[0], max[0], double(ns(self.clock().now()))};
    });
    for (auto const& one : seen) CHECK(one == std::vector<double>{6, 3, -1, 20'000});
}

TEST_CASE("sim::group: a barrier ends on all ranks at the time of the latest") {
    auto const left = on_ranks(4, bandwidth_network, [](process& self) {
        self.work(std::chrono::microseconds{self.rank() == 2 ? 30 : 1});
        self.group().barrier();
        return ns(self.clock().now());
    });
    CHECK(left == std::vector<long long>(4, 30'000));
}

namespace {

/// The exception when rank 1 fails while the others do `wait`.
template <class Wait>
void one_fails(Wait wait) {
    sonde::sim::world{4, bandwidth_network}.run([&](process& self) {
        if (self.rank() == 1) throw std::domain_error{"rank 1"};
        wait(self);
    });
}

} // namespace

TEST_CASE("sim::world: an exception ends the waiting of all others, and is rethrown") {
    std::vector<std::byte> message(1);
    CHECK_THROWS_WITH_AS(one_fails([](process& self) { self.group().barrier(); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([&](process& self) { self.link(1).recv(message); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([](process&) {}), "rank 1", std::domain_error);
}

TEST_CASE("sim::world: every wait for a failed rank throws") {
    int failures = 0;
    auto const keeps_waiting = [&](process& self) {
        for (int i = 0; i != 3; ++i) {
            try {
                self.group().barrier();
            } catch (sonde::peer_failed const&) {
                if (self.rank() == 0) ++failures;
            }
        }
    };
    CHECK_THROWS_AS(one_fails(keeps_waiting), std::domain_error);
    CHECK(failures == 3);
}

TEST_CASE("sim::group: ranks in different collectives throw") {
    auto const mismatched = [](process& self) {
        std::vector<double> values(self.rank() == 0 ? 2 : 3);
        self.group().all_reduce(values, sonde::reduction::sum);
        return 0;
    };
    CHECK_THROWS_AS(on_ranks(2, bandwidth_network, mismatched), std::logic_error);
}
