// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <deque>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

std::vector<double> ascending(std::size_t n) {
    std::vector<double> field(n);
    std::iota(field.begin(), field.end(), 1.0);
    return field;
}

/// An array of an application: a contiguous range by its iterators.
struct own_array {
    std::vector<double> elements = ascending(4);
    auto begin() { return elements.begin(); }
    auto end() { return elements.end(); }
};

template <class A>
concept Borrowed = requires(A&& array) { sonde::borrow(std::forward<A>(array)); };

} // namespace

TEST_CASE("borrow: takes any contiguous range of the application, whole") {
    auto const lends = [](auto& array, void* first, std::size_t bytes) {
        auto const lent = sonde::borrow(array);
        return lent.bytes().data() == first && lent.bytes().size() == bytes;
    };
    auto field = ascending(100);
    std::array<short, 3> three{};
    int c[2][5]{};
    own_array own;
    std::string text{"message"};
    auto const half = std::span{field}.first(50);
    CHECK(lends(field, field.data(), 800));
    CHECK(lends(three, three.data(), 6));
    CHECK(lends(c, c, 10 * sizeof(int)));
    CHECK(lends(own, own.elements.data(), 32));
    CHECK(lends(text, text.data(), 7));
    CHECK(lends(half, field.data(), 400));
    auto const last = sonde::borrow(std::span{field}.last<2>());
    CHECK(last.bytes().size() == 16);
}

TEST_CASE("borrow: refuses temporaries that own their elements, constant elements, and elements that are no bytes") {
    static_assert(Borrowed<std::vector<double>&> && !Borrowed<std::vector<double>> && !Borrowed<own_array>);
    static_assert(Borrowed<std::span<double>> && Borrowed<std::span<double> const&> &&
                  !Borrowed<std::span<double const>>);
    static_assert(!Borrowed<std::vector<double> const&> && !Borrowed<std::array<int const, 2>&>);
    static_assert(!Borrowed<std::vector<std::string>&> && !Borrowed<std::deque<int>&> && !Borrowed<double&>);
}

TEST_CASE("borrow: measures in the application's array, and restores its contents") {
    auto field = ascending(100);
    {
        auto lent = sonde::borrow(std::span{field});
        CHECK(static_cast<void*>(lent.bytes().data()) == field.data());
        CHECK(lent.bytes().size() == 800);
        lent.fill(std::byte{0x11}); // a finite number
        CHECK(field != ascending(100));
    }
    CHECK(field == ascending(100));
}

TEST_CASE("borrow: restores after an exception") {
    auto field = ascending(10);
    auto const failing = [&] {
        auto lent = sonde::borrow(std::span{field});
        lent.fill(std::byte{0});
        throw std::runtime_error{"in the middle"};
    };
    CHECK_THROWS_AS(failing(), std::runtime_error);
    CHECK(field == ascending(10));
}

TEST_CASE("borrow: restores once, by its last owner after a move") {
    auto field = ascending(10);
    {
        auto lent = sonde::borrow(std::span{field});
        lent.fill(std::byte{0});
        auto const moved = std::move(lent);
        CHECK(field[3] == 0);
    }
    CHECK(field == ascending(10));
}

TEST_CASE("borrowed_memory: a smaller region is borrowed, and the rest is not touched") {
    auto field = ascending(10);
    {
        sonde::allocation lent{32, sonde::borrowed_memory{std::span{field}}};
        CHECK(lent.bytes().size() == 32);
        field[7] = -1; // a change by the application
    }
    CHECK(field[7] == -1);
}

TEST_CASE("borrowed_memory: a pattern may write into it") {
    auto field = ascending(8);
    on_ranks(2, {1us, 5us, 0us, 0ns}, [&](process& self) {
        auto mine = field;
        {
            auto lent = sonde::borrow(std::span{mine});
            auto group = self.group();
            auto const pair = sonde::pair_of(self.rank(), 1);
            lent.fill(std::byte{0});
            sonde::ping_pong pattern{self.link(pair.peer), pair.role, lent.first(64), lent.first(64)};
            (void)sonde::run(group, sonde::plan<>{}.until(sonde::samples{2}).timed_by(self.clock()), pattern);
        }
        CHECK(mine == field);
        return 0;
    });
}

TEST_CASE("borrowed_memory: an array that is too short is refused, and not changed") {
    auto field = ascending(10);
    CHECK_THROWS_AS((sonde::allocation{81, sonde::borrowed_memory{std::span{field}}}), std::length_error);
    auto const all = sonde::borrow(std::span{field});
    CHECK_THROWS_AS(all.first(81), std::length_error);
    CHECK(field == ascending(10));
}

TEST_CASE("borrowed_memory: an array is borrowed once at a time") {
    auto field = ascending(10);
    sonde::borrowed_memory memory{std::span{field}};
    auto* const lent = memory.allocate(80);
    CHECK_THROWS_AS(memory.allocate(8), std::logic_error);
    memory.deallocate(lent, 80);
    CHECK(memory.allocate(8) == field.data());
}

TEST_CASE("borrow: an empty array is accepted") {
    std::vector<double> nothing;
    auto const none = sonde::borrow(std::span{nothing});
    CHECK(none.bytes().empty());
}
