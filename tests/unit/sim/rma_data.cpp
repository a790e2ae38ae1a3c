// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
namespace sim = sonde::sim;

namespace {

constexpr std::size_t block = 4, many = 3;

using cells = std::vector<int>;

cells read(std::vector<std::byte> const& window) {
    cells found;
    for (auto const b : window) found.push_back(static_cast<int>(b));
    return found;
}

/// Every rank puts `many` blocks of its own number, incremented block by block, into its own section of its right
/// neighbor's window; returns the windows' contents.
template <class EpochOf>
std::vector<cells> around(int ranks, EpochOf epoch_of, bool passive = false) {
    return on_ranks(ranks, log_gp_network, [&](process& self) {
        std::vector<std::byte> own(block * many * static_cast<std::size_t>(ranks)), memory(block * many);
        sim::window window{self, own};
        auto const right = (self.rank() + 1) % ranks, left = (self.rank() + ranks - 1) % ranks;
        auto const section = block * many * static_cast<std::size_t>(self.rank());
        sonde::rma_exchange pattern{epoch_of(window, left, right), role::initiator, many,
                                    sim::put{window, right, memory, block, section}};
        for (int round = 0; round != 2; ++round) { // the second overwrites the first
            for (std::size_t i = 0; i != memory.size(); ++i)
                memory[i] = static_cast<std::byte>(100 * round + 10 * (self.rank() + 1) + static_cast<int>(i / block));
            pattern();
            for (std::size_t i = 0; passive && i != many; ++i) window.receive_put(left);
        }
        return read(own);
    });
}

std::vector<cells> expected(int ranks) {
    std::vector<cells> all;
    for (int rank = 0; rank != ranks; ++rank) {
        cells here(block * many * static_cast<std::size_t>(ranks));
        auto const left = (rank + ranks - 1) % ranks;
        for (std::size_t i = 0; i != block * many; ++i)
            here[block * many * static_cast<std::size_t>(left) + i] =
                100 + 10 * (left + 1) + static_cast<int>(i / block);
        all.push_back(here);
    }
    return all;
}

} // namespace

TEST_CASE("sim: a put is in the target's window, at its place, after a fence or a PSCW epoch") {
    for (int const ranks : {2, 3, 4}) {
        CHECK(around(ranks, [](auto& w, int, int) { return sim::fence{w}; }) == expected(ranks));
        auto const both = [](auto& w, int left, int right) {
            return sim::pscw{w, left == right ? std::vector{left} : std::vector{left, right}};
        };
        CHECK(around(ranks, both) == expected(ranks));
    }
}

TEST_CASE("sim: a flushed put is in the target's window when the target reads it") {
    for (int const ranks : {2, 3})
        CHECK(around(
                  ranks,
                  [](auto& w, int, int right) {
                      return sim::flush{w, right};
                  },
                  true) == expected(ranks));
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
