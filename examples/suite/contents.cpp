// SPDX-License-Identifier: BSL-1.0
#include "suite/contents.hpp"

namespace suite {

std::uint64_t wrong_bits(element kind, wrong_element const& of) {
    return with_element(kind, [&](auto type) {
        using T = decltype(type);
        auto const bits = [](double value) {
            auto const v = static_cast<T>(value);
            std::uint64_t word = 0;
            std::memcpy(&word, &v, sizeof v);
            return word;
        };
        return bits(of.expected) ^ bits(of.actual);
    });
}

void write_contribution(sonde::region bytes, spaced_elements const& as, known_values const& values, int rank, int to) {
    with_element(as.kind, [&](auto type) {
        using T = decltype(type);
        write_each<T>(
            bytes, [&](std::size_t i) { return values.element<T>(rank, to, i); }, as.spacing);
    });
}

void compare_block(sonde::region received, spaced_elements const& as, known_values const& values,
                   sonde::expected_block const& block, wrong_function const& wrong) {
    if (block.bytes == 0) return; // its offset may lie beyond the region
    auto const first = block.offset / as.spacing, first_sent = block.source_offset / as.spacing;
    with_element(as.kind, [&](auto type) {
        using T = decltype(type);
        auto const expected = [&](std::size_t i) {
            return values.sum<T>(block.first_source, block.last_source, block.destination, first_sent + i);
        };
        auto const at_place = [&](wrong_element w) {
            w.at += first;
            wrong(w);
        };
        compare_each<T>(received.subspan(block.offset, block.bytes), expected, at_place, as.spacing);
    });
}

} // namespace suite
