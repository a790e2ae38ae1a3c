// SPDX-License-Identifier: BSL-1.0
// Bits of messages, written and compared without a message.
#include "suite/bit_check.hpp"
#include "suite/contents.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <vector>

namespace {

using suite::message_id;

std::vector<std::byte> bits_of(message_id const& of, std::size_t bytes, std::size_t first = 0) {
    std::vector<std::byte> all(bytes);
    suite::write_bits(all, of, first);
    return all;
}

TEST_CASE("bits differ by round, sender, receiver and number, and are those of the whole message from any byte on") {
    message_id const usual{3, 1, 2};
    std::set<std::vector<std::byte>> all;
    for (auto const& of : {usual, message_id{4, 1, 2}, message_id{3, 2, 2}, message_id{3, 1, 1}, message_id{3, 2, 1},
                           message_id{3, 1, 2, 1}, message_id{3, 1, -1}})
        all.insert(bits_of(of, 16));
    CHECK(all.size() == 7);
    auto const whole = bits_of(usual, 40);
    for (std::size_t first = 0; first != 30; ++first)
        for (std::size_t bytes : {0u, 1u, 7u, 8u, 9u, 10u}) {
            std::vector<std::byte> const part(whole.begin() + static_cast<std::ptrdiff_t>(first),
                                              whole.begin() + static_cast<std::ptrdiff_t>(first + bytes));
            CHECK(bits_of(usual, bytes, first) == part);
        }
}

TEST_CASE("each wrong bit is found, also behind the last whole word") {
    message_id const of{7, 0, 5};
    suite::bit_check check{5};
    for (std::size_t bit = 0; bit != 8 * 13; ++bit) {
        auto received = bits_of(of, 13, 3);
        CHECK(check.compare(received, of, 3) == 0);
        received[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
        CHECK(check.compare(received, of, 3) == 1);
    }
    CHECK(check.compare({}, of) == 0);
}

TEST_CASE("a wrong word names its message, its place and its bits") {
    CHECK(suite::text_of({17, 3, 0, 0, 4096, 0x400}) ==
          "rank 3 to rank 0, round 17, byte 4096: wrong bits 0x0000000000000400");
    CHECK(suite::text_of({1, 3, 0, 2, 8, 1}) ==
          "rank 3 to rank 0, round 1, message 2, byte 8: wrong bits 0x0000000000000001");
    CHECK(suite::text_of({0, -1, 2, 0, 0, 1}) == "the sum at rank 2, round 0, byte 0: wrong bits 0x0000000000000001");
    CHECK(suite::wrong_bits(suite::element::integer, {0, 5, 4}) == 1);
    CHECK(suite::wrong_bits(suite::element::character, {0, 1, -1}) == 0xfe);
    CHECK(suite::wrong_bits(suite::element::real, {0, 2, -2}) == 0x80000000);
}

} // namespace
