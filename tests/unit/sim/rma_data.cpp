// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"
#include "../../transfer_conformance.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
namespace sim = sonde::sim;

namespace {

/// Every rank puts blocks into its right neighbor's window, behind its first bytes; `epoch_of(window, left, right)`.
void check_puts(int ranks, auto epoch_of, bool passive = false) {
    sim::world{ranks, log_gp_network}.run([&](process& self) {
        constexpr std::size_t first = 64, bytes_of_all = conformance::blocks * conformance::largest_block;
        std::vector<std::byte> own(first + bytes_of_all), memory(bytes_of_all);
        sim::window window{self, own};
        auto group = self.group();
        auto const right = (self.rank() + 1) % ranks, left = (self.rank() + ranks - 1) % ranks;
        auto const make = [&](std::size_t bytes) {
            return sonde::rma_exchange{epoch_of(window, left, right), role::initiator, conformance::blocks,
                                       sim::put{window, right, memory, bytes, first}};
        };
        auto const receive = [&](sonde::region, int) {
            for (std::size_t i = 0; passive && i != conformance::blocks; ++i) window.receive_put(left);
        };
        conformance::check_transfers(group, memory, sonde::region{own}.subspan(first), true, make, receive);
    });
}

} // namespace

TEST_CASE("sim: puts conform, in every epoch") {
    for (int const ranks : {2, 3, 4}) {
        check_puts(ranks, [](auto& w, int, int) { return sim::fence{w}; });
        check_puts(ranks, [](auto& w, int left, int right) {
            return sim::pscw{w, left == right ? std::vector{left} : std::vector{left, right}};
        });
        check_puts(
            ranks,
            [](auto& w, int, int right) {
                return sim::flush{w, right};
            },
            true);
    }
}

TEST_CASE("sim: a target sees nothing of a put before its epoch closes") {
    auto const seen = on_ranks(2, log_gp_network, [](process& self) {
        std::vector<std::byte> own(1), memory(1, std::byte{9});
        sim::window window{self, own};
        sim::fence const epoch{window};
        epoch.open(sonde::both_sides{});
        if (self.rank() == 0) window.put(1, 0, memory);
        self.group().barrier();
        auto const before = own[0];
        epoch.close(sonde::both_sides{});
        return std::vector{before, own[0]};
    });
    CHECK(seen[1] == std::vector{std::byte{0}, std::byte{9}});
}

TEST_CASE("sim: receive_put waits until the put has arrived") {
    auto const read_until = on_ranks(2, log_gp_network, [](process& self) {
        std::vector<std::byte> own(11), memory(11);
        sim::window window{self, own};
        if (self.rank() == 0) window.put(1, 0, memory);
        else window.receive_put(0);
        return ns(self.now());
    });
    CHECK(read_until == std::vector<long long>{1000, 1000 + 10 * 2 + 5000}); // no overhead of its processor
}

TEST_CASE("sim: a put beyond the target's window throws") {
    auto const at = [](std::size_t place) {
        sim::world{2, log_gp_network}.run([&](process& self) {
            std::vector<std::byte> own(10), memory(4);
            sim::window window{self, own};
            sonde::rma_exchange{sim::fence{window}, role::initiator, 1,
                                sim::put{window, 1 - self.rank(), memory, 4, place}}();
        });
    };
    CHECK_NOTHROW(at(6));
    CHECK_THROWS_AS(at(7), std::length_error);
}
