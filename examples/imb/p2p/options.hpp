// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/options.hpp"
#include "suite/options.hpp"

#include <sonde/memory/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace imb::p2p {

/// `-msgwr`, `-msgrd`: messages are written before they are sent and read after they have arrived, one byte of each
/// cache line.
struct touches {
    static constexpr std::size_t line = 64; // bytes
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

/// Byte that a rank writes before it sends.
inline std::byte mark_of(int rank) { return static_cast<std::byte>(rank + 1); }

/// Byte i of a rank's message with -check. It depends on the rank and on i, so that displaced bytes are found.
inline std::byte content(int rank, std::size_t i) {
    if (i % touches::line == 0) return mark_of(rank);
    return static_cast<std::byte>((static_cast<std::size_t>(rank) + 1) * 31 + i * 7 + i / 256);
}

/// `-iter MAX,VOL`: numbers of repetitions. A size has as many as move `volume` bytes, from 1 to `most`.
struct repetitions {
    std::size_t most = 100'000;
    std::size_t volume = std::size_t{800} << 20;

    std::size_t of(std::size_t bytes) const {
        if (bytes == 0) return most;
        auto const rounded = volume / bytes + (volume % bytes >= bytes - volume % bytes ? 1 : 0);
        return std::clamp(rounded, std::size_t{1}, most);
    }
    /// Warm-up repetitions before n repetitions: a tenth, at least one if n > 1.
    static std::size_t warm_up(std::size_t n) { return n > 1 ? std::max(n / 10, std::size_t{1}) : 0; }
};

/// Options of IMB-P2P.
struct options : imb::options {
    repetitions repeats;     // -iter
    touches touched;         // -msgwr, -msgrd
    long pause_us = 100'000; // before and after a size; negative: none
};

/// The options, bound to the members of `into`.
std::vector<option_row> option_table(options& into);
/// Parse a command line; without options the sizes are the default ones. Throws suite::refusal.
options parse(int argc, char const* const* argv);

} // namespace imb::p2p
