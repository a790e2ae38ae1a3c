// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace osu {

/// Where buffers lie; on a command line H, D, MH, MD.
enum class placement : unsigned char { host, device, managed_host, managed_device };

constexpr char const* word(placement where) {
    constexpr char const* words[] = {"H", "D", "MH", "MD"};
    return words[static_cast<int>(where)];
}

constexpr bool is_managed(placement where) {
    return where == placement::managed_host || where == placement::managed_device;
}

/// Where the buffers of the two sides lie: of rank 0 or the lower half, and of the others. On a command line SRC DST.
struct placements {
    placement source = placement::host;
    placement destination = placement::host;

    bool any_managed() const { return is_managed(source) || is_managed(destination); }
    bool all_host() const { return source == placement::host && destination == placement::host; }
    bool any_device() const { return source == placement::device || destination == placement::device; }
    bool operator==(placements const&) const = default;
};

/// `-d`; words other than H select cuda where it is not given.
enum class accelerator : unsigned char { none, cuda, managed };

/// `-r`: where work beside a non-blocking collective is done.
enum class work_place : unsigned char { cpu, gpu, both };

} // namespace osu
