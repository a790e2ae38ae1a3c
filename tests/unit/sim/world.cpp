// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

sonde::region bytes_of(auto& values) { return std::as_writable_bytes(std::span{values}); }

} // namespace

TEST_CASE("sim::world: a message costs the sender its overhead, the receiver waits for it and pays the same") {
    auto const left = on_ranks(2, bandwidth_network, [](process& self) {
        std::vector<std::byte> message(1001);
        if (self.rank() == 0) self.link(1).send(message);
        else self.link(0).recv(message);
        return ns(self.clock().now());
    });
    CHECK(left == std::vector<long long>{1000, 1000 + 1000 + 5000 + 1000});
}

TEST_CASE("sim::world: a message that arrived earlier costs its receiver the overhead only") {
    auto const left = on_ranks(2, bandwidth_network, [](process& self) {
        std::vector<std::byte> message(1);
        self.work(self.rank() == 0 ? 0us : 50us);
        if (self.rank() == 0) self.link(1).send(message);
        else self.link(0).recv(message);
        return ns(self.clock().now());
    });
    CHECK(left[1] == 51'000);
}

TEST_CASE("sim::world: messages between two ranks keep their order for each tag") {
    auto const got = on_ranks(2, bandwidth_network, [](process& self) {
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

TEST_CASE("sim::world: a message longer than its receive throws, a shorter one leaves the rest unchanged") {
    auto const transfer = [](std::size_t sent, std::size_t room) {
        return on_ranks(2, bandwidth_network, [=](process& self) {
            std::vector<std::byte> out(sent, std::byte{7}), in(room, std::byte{1});
            if (self.rank() == 0) self.link(1).send(out);
            else self.link(0).recv(in);
            return in;
        })[1];
    };
    CHECK_THROWS_AS(transfer(3, 2), std::length_error);
    CHECK(transfer(1, 2) == std::vector<std::byte>{std::byte{7}, std::byte{1}});
}
