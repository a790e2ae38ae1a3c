// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

/// What every kind of memory promises that a library allocates.
namespace conformance {

/// Allocations of `all` bytes in sum, more than there are at a time, begin on pages, or where `aligned` says to a
/// multiple of 128 bytes, are filled, written and read, and are freed. `check(bytes)` is called for each.
template <class M>
void check_memory(std::size_t all, M aligned, auto check) {
    static_assert(sonde::Memory<M>);
    constexpr auto piece = std::size_t{16} << 20;
    auto const address = [](auto const& bytes) { return reinterpret_cast<std::uintptr_t>(bytes.bytes().data()); };
    for (std::size_t i = 0; i * piece < all; ++i) {
        sonde::allocation<M> const bytes{piece};
        CHECK(address(bytes) % static_cast<std::size_t>(sonde::host_memory::page) == 0);
        check(bytes.bytes());
    }
    sonde::allocation<M> bytes{100, aligned};
    CHECK(address(bytes) % 128 == 0);
    bytes.fill(std::byte{7});
    std::byte const sent[2] = {std::byte{8}, std::byte{9}};
    std::byte found[4]{};
    bytes.write(50, sent);
    bytes.read(49, found);
    CHECK((found[0] == std::byte{7} && found[1] == sent[0] && found[2] == sent[1] && found[3] == std::byte{7}));
    CHECK((bytes.bytes().front() == std::byte{7} && bytes.bytes().back() == std::byte{7}));
}

/// An allocation of more than there is throws E with a line, which is a std::bad_alloc; then the memory is usable.
template <class M, class E>
void check_exhausted(std::string const& line) {
    auto const throws = [] { sonde::allocation<M> const too_large{std::size_t{1} << 40}; };
    CHECK_THROWS_WITH_AS(throws(), line.c_str(), E);
    CHECK_THROWS_AS(throws(), std::bad_alloc);
    sonde::allocation<M> const bytes{8};
    CHECK(bytes.bytes().size() == 8);
}

} // namespace conformance
