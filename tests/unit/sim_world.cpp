// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

constexpr log_gp network{1us, 5us, 0us, 1ns};

sonde::region bytes_of(auto& values) { return std::as_writable_bytes(std::span{values}); }

/// Each rank tells each other its number, after unequal work; sums in the order of ranks, by messages and by the group.
double busy_talk(process& self) {
    double sum = 0;
    self.work(std::chrono::microseconds{(self.rank() * 7) % 5});
    for (int distance = 1; distance != self.size(); ++distance) {
        std::array<int, 1> mine{self.rank()}, theirs{};
        self.link((self.rank() + distance) % self.size()).send(bytes_of(mine));
        self.link((self.rank() + self.size() - distance) % self.size()).recv(bytes_of(theirs));
        sum = sum / 3 + theirs[0];
    }
    std::array<double, 2> shared{sum, 1.0 / (1 + self.rank())};
    self.group().all_reduce(shared, sonde::reduction::sum);
    return shared[0] + shared[1] + sonde::seconds{self.clock().now()}.count();
}

} // namespace

TEST_CASE("sim::world: results and times are the same in every run, to the last bit") {
    auto const first = on_ranks(6, network, busy_talk);
    for (int run = 0; run != 100; ++run) CHECK(on_ranks(6, network, busy_talk) == first);
}

TEST_CASE("sim::world: a message costs the sender its overhead, the receiver waits for it and pays the same") {
    auto const left = on_ranks(2, network, [](process& self) {
        std::vector<std::byte> message(1001);
        if (self.rank() == 0) self.link(1).send(message);
        else self.link(0).recv(message);
        return ns(self.clock().now());
    });
    CHECK(left == std::vector<long long>{1000, 1000 + 1000 + 5000 + 1000});
}

TEST_CASE("sim::world: a message that came long ago costs its receiver the overhead only") {
    auto const left = on_ranks(2, network, [](process& self) {
        std::vector<std::byte> message(1);
        self.work(self.rank() == 0 ? 0us : 50us);
        if (self.rank() == 0) self.link(1).send(message);
        else self.link(0).recv(message);
        return ns(self.clock().now());
    });
    CHECK(left[1] == 51'000);
}

TEST_CASE("sim::world: messages between two ranks keep their order; tags are ways of their own") {
    auto const got = on_ranks(2, network, [](process& self) {
        std::vector<int> numbers{1, 2, 3};
        std::array<int, 1> a{}, b{}, c{};
        if (self.rank() == 0) {
            for (int& n : numbers) self.link(1, n == 2 ? 9 : 0).send(std::as_writable_bytes(std::span{&n, 1}));
        } else {
            self.link(0, 9).recv(bytes_of(a));
            self.link(0).recv(bytes_of(b));
            self.link(0).recv(bytes_of(c));
        }
        return std::vector<int>{a[0], b[0], c[0]};
    });
    CHECK(got[1] == std::vector<int>{2, 1, 3});
}

TEST_CASE("sim::world: a message longer than its receive is an error, a shorter one leaves the rest as it was") {
    auto const transfer = [](std::size_t sent, std::size_t room) {
        return on_ranks(2, network, [=](process& self) {
            std::vector<std::byte> out(sent, std::byte{7}), in(room, std::byte{1});
            if (self.rank() == 0) self.link(1).send(out);
            else self.link(0).recv(in);
            return in;
        })[1];
    };
    CHECK_THROWS_AS(transfer(3, 2), std::length_error);
    CHECK(transfer(1, 2) == std::vector<std::byte>{std::byte{7}, std::byte{1}});
}

TEST_CASE("sim::group: a collective leaves all at the time of the latest, with the values combined") {
    auto const seen = on_ranks(3, network, [](process& self) {
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

TEST_CASE("sim::group: a barrier leaves all at the time of the latest") {
    auto const left = on_ranks(4, network, [](process& self) {
        self.work(std::chrono::microseconds{self.rank() == 2 ? 30 : 1});
        self.group().barrier();
        return ns(self.clock().now());
    });
    CHECK(left == std::vector<long long>(4, 30'000));
}

namespace {

/// What comes out when rank 1 fails while the others do `wait`.
template <class Wait>
void one_fails(Wait wait) {
    sonde::sim::world{4, network}.run([&](process& self) {
        if (self.rank() == 1) throw std::domain_error{"rank 1"};
        wait(self);
    });
}

} // namespace

TEST_CASE("sim::world: an exception ends the waiting of all others, and is what comes out") {
    std::vector<std::byte> message(1);
    CHECK_THROWS_WITH_AS(one_fails([](process& self) { self.group().barrier(); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([&](process& self) { self.link(1).recv(message); }), "rank 1", std::domain_error);
    CHECK_THROWS_WITH_AS(one_fails([](process&) {}), "rank 1", std::domain_error);
}

TEST_CASE("sim::world: who waits for a rank that failed is told so, again and again") {
    int told = 0;
    auto const stubborn = [&](process& self) {
        for (int i = 0; i != 3; ++i) {
            try {
                self.group().barrier();
            } catch (sonde::peer_failed const&) {
                if (self.rank() == 0) ++told;
            }
        }
    };
    CHECK_THROWS_AS(one_fails(stubborn), std::domain_error);
    CHECK(told == 3);
}

TEST_CASE("sim::group: ranks in different collectives are an error, not a mixture") {
    auto const mismatched = [](process& self) {
        std::vector<double> values(self.rank() == 0 ? 2 : 3);
        self.group().all_reduce(values, sonde::reduction::sum);
        return 0;
    };
    CHECK_THROWS_AS(on_ranks(2, network, mismatched), std::logic_error);
}

TEST_CASE("share: everybody has rank 0's values") {
    auto const seen = on_ranks(3, network, [](process& self) {
        auto group = self.group();
        std::array<double, 2> values{10.0 + self.rank(), -1.0 * self.rank()};
        sonde::share(group, values);
        return std::vector<double>{values[0], values[1]};
    });
    for (auto const& one : seen) CHECK(one == std::vector<double>{10, 0});
}
