// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tools::replay {

/// Times of one call in one pass, in seconds: means if an inner loop makes it several times.
struct pass_times {
    float think = 0; // from the end of the call before it
    float call = 0;
};

/// Whole passes of a loop, in blocks of consecutive ones that lie evenly in the loop. Which passes are kept depends on
/// their numbers alone, so that ranks of equal numbers of passes keep the same ones. Times of other passes are lost.
class kept_passes {
public:
    /// Number of passes that are chosen at the end, and of those in a block.
    static constexpr std::size_t chosen = 32, block = 4;

    /// True if the pass of this number, which follows those before it, is to be added.
    bool wants(std::uint64_t pass) const { return pass % stride_ < block; }
    /// Add a pass: a time for each call of the loop, in the order of the text.
    void add(std::uint64_t pass, std::vector<pass_times> times);

    /// As many passes as `chosen` says, in their order; those of a shorter loop again and again. Empty without passes.
    std::vector<std::vector<pass_times> const*> choice() const;
    /// Bytes that a call of the loop takes at most.
    static constexpr std::size_t bytes() { return 2 * chosen * sizeof(pass_times); }

private:
    struct kept_pass {
        std::uint64_t number;
        std::vector<pass_times> times;
    };

    std::uint64_t stride_ = block; // from the begin of a block to that of the next
    std::vector<kept_pass> passes_;
};

} // namespace tools::replay
