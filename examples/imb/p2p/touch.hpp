// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <cstddef>

namespace imb::p2p {

/// `-msgwr`, `-msgrd`: is what is sent written just before, and what has arrived read? One byte of every line of a
/// cache, of 64 bytes.
struct touches {
    static constexpr std::size_t line = 64;
    bool writes = true;
    bool reads = true;

    void before_send(sonde::region message, std::byte mark) const {
        if (!writes) return;
        for (std::size_t i = 0; i < message.size(); i += line) *static_cast<std::byte volatile*>(&message[i]) = mark;
    }
    void after_receive(sonde::region message) const {
        if (!reads) return;
        for (std::size_t i = 0; i < message.size(); i += line) {
            [[maybe_unused]] std::byte const read = *static_cast<std::byte const volatile*>(&message[i]);
        }
    }
};

/// What a rank writes so.
inline std::byte mark_of(int rank) { return static_cast<std::byte>(rank + 1); }

/// Byte i of what it sends when contents are checked: no two ranks' messages are alike, nor two places in one.
inline std::byte content(int rank, std::size_t i) {
    if (i % touches::line == 0) return mark_of(rank);
    return static_cast<std::byte>((static_cast<std::size_t>(rank) + 1) * 31 + i * 7 + i / 256);
}

} // namespace imb::p2p
