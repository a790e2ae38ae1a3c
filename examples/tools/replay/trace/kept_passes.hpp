// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tools::replay {

/// Times of one call in one pass, in seconds.
struct pass_times {
    float think = 0; // from the end of the call before it
    float call = 0;
    double end = 0; // of the call, since MPI_Init
};

/// Whole passes of a loop, in blocks of consecutive ones that lie evenly in the loop. Which passes are kept depends on
/// their numbers alone, so that ranks of equal numbers of passes keep the same ones. Times of other passes are lost.
class kept_passes {
public:
    /// Number of passes that are chosen of a loop at the end, of those in a block, and of those of an inner loop.
    /// A block has many divisors, so that a rank that is late in every 10th pass is so in the same places of all
    /// blocks.
    static constexpr std::size_t chosen = 240, block = 60, chosen_inside = 8;

    /// True if the pass of this number, which follows those before it, is to be added.
    bool wants(std::uint64_t pass) const { return pass % stride_ < block; }
    /// Add a pass: as many times as in those before it.
    void add(std::uint64_t pass, std::span<pass_times const> times);

    using row = std::span<pass_times const>;
    /// As many passes as `chosen` says, in their order; those of a shorter loop again and again. Empty without passes.
    std::vector<row> choice() const;
    /// The numbers of the chosen passes, each once. `passes`: number of passes of the loop.
    static std::vector<std::uint64_t> chosen_numbers(std::uint64_t passes);
    /// The kept passes of an inner loop with this number of passes: all, or `chosen_inside` of them.
    std::vector<row> choice_inside(std::uint64_t passes) const;
    /// Bytes that a call of the loop takes at most.
    static constexpr std::size_t bytes() { return 2 * chosen * sizeof(pass_times); }

private:
    /// Index of the i-th chosen pass among the kept passes. `kept`: number of kept passes.
    static std::size_t chosen_place(std::size_t i, std::size_t kept);
    row row_at(std::size_t i) const { return row{times_}.subspan(i * width_, width_); }

    std::uint64_t stride_ = block; // from the begin of a block to that of the next
    std::size_t width_ = 0;        // times of a pass
    std::vector<std::uint64_t> numbers_;
    std::vector<pass_times> times_;
};

/// Number of passes of an inner loop whose times are kept in a pass of the loop around it.
constexpr std::size_t passes_inside(std::uint64_t passes) {
    return passes < kept_passes::chosen_inside ? static_cast<std::size_t>(passes) : kept_passes::chosen_inside;
}

} // namespace tools::replay
