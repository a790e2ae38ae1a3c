// SPDX-License-Identifier: BSL-1.0
#include "../../collective_contents.hpp"
#include "../../support.hpp"
#include "my_library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::in_place, sonde::placement, sonde::root_rank;

namespace {

/// Blocks of all ranks in one memory, which are complete after a barrier.
struct shared_board {
    std::vector<std::vector<std::byte>>& all;
    sonde::sim::group& group;

    void put(std::size_t rank, std::byte const* from, std::size_t n) {
        all[rank].assign(from, from + n);
        barrier();
    }
    void get(std::size_t rank, std::byte* to, std::size_t n) const { std::copy_n(all[rank].begin(), n, to); }
    void barrier() const { group.barrier(); }
};

struct no_board {
    void put(std::size_t, std::byte const*, std::size_t) {}
    void get(std::size_t, std::byte*, std::size_t) const {}
    void barrier() const {}
};

/// Wrong elements on ranks in virtual time, in two rounds of the operation of `make(group)`.
std::size_t wrong(int ranks, auto make, auto damage_of) {
    std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(ranks));
    auto const found = on_ranks(ranks, {1us, 5us, 0us, 0ns}, [&](process& self) {
        auto group = self.group();
        shared_board board{all, group};
        auto const operation = make(group);
        std::vector<std::byte> out(operation.send_bytes()), in(operation.recv_bytes());
        my_library::blocking pattern{board, operation, sonde::slice{sonde::region{out}},
                                     sonde::slice{sonde::region{in}}};
        return contents::wrong(
            group, pattern, [&](contents::buffers const& b) { out = b.out, in = b.in; },
            [&](contents::buffers& b) { b.in = in; }, damage_of(operation));
    });
    return found.front();
}

auto const sound = [](auto const&) { return contents::keep; };
auto const last_byte = [](auto const& operation) { return contents::last_byte_of(operation); };

} // namespace

TEST_CASE("the operations of a library of one's own are validated by their bases: right, damaged and absent contents") {
    for (auto const where : {placement::out_of_place, in_place}) {
        auto const make = [where](auto const& group) { return my_library::allgather{group, 12, where}; };
        CHECK(wrong(3, make, sound) == 0);
        CHECK(wrong(3, make, last_byte) == 2 * 3);
        auto const silent = [&](auto const& group) { return contents::silent<my_library::allgather>{make(group)}; };
        CHECK(wrong(3, silent, sound) ==
              (where == in_place ? 2 * 3 * 2 * 3 : 2 * 3 * 3 * 3)); // its own block lies there
    }
    CHECK(wrong(
              3,
              [](auto const& group) {
                  return my_library::bcast{group, 12, 2};
              },
              sound) == 0);
}

TEST_CASE("a rotating root is the next rank in each iteration, a fixed one the same") {
    for (auto const root : {root_rank{1}, root_rank::rotating()}) {
        std::vector<std::vector<std::byte>> all(3);
        auto const right = on_ranks(3, {1us, 5us, 0us, 0ns}, [&](process& self) {
            auto group = self.group();
            shared_board board{all, group};
            std::vector<std::byte> in(1);
            my_library::blocking pattern{board, my_library::bcast{group, 1, root}, sonde::slice{},
                                         sonde::slice{sonde::region{in}}};
            auto good = true;
            for (int i = 0; i != 7; ++i) {
                in[0] = std::byte(self.rank());
                pattern();
                good = good && in[0] == std::byte(root.rotates ? i % 3 : 1);
            }
            return good ? 1 : 0;
        });
        CHECK(right == std::vector{1, 1, 1});
    }
}

TEST_CASE("a root that is not a rank and a small region are refused, with the name of the library") {
    sonde::single_rank group;
    CHECK_THROWS_WITH_AS((my_library::bcast{group, 8, 1}), "my_library: root 1 is none of the ranks 0 to 0",
                         std::invalid_argument);
    std::vector<std::byte> few(7), enough(8);
    no_board board;
    my_library::allgather const operation{group, 8};
    CHECK_THROWS_WITH_AS(
        (my_library::blocking{board, operation, sonde::slice{sonde::region{few}}, sonde::slice{sonde::region{enough}}}),
        "my_library: my_allgather sends from 8 bytes, the region has 7", std::length_error);
    CHECK_THROWS_WITH_AS(
        (my_library::blocking{board, operation, sonde::slice{sonde::region{enough}}, sonde::slice{sonde::region{few}}}),
        "my_library: my_allgather receives into 8 bytes, the region has 7", std::length_error);
}
