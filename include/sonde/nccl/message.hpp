// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>

#include <nccl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::nccl {

/// Bytes of an element. Throws std::invalid_argument for what is no type.
[[nodiscard]] inline std::size_t size_of(ncclDataType_t type) {
    // In the order of their numbers; names there are for the last three in a later NCCL only: bfloat16, and two of 8
    // bits.
    constexpr std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    auto const number = static_cast<std::size_t>(type);
    if (number >= sizeof sizes / sizeof *sizes)
        throw std::invalid_argument{"sonde::nccl: " + std::to_string(type) + " is no datatype"};
    return sizes[number];
}

inline constexpr auto all_that_fit = static_cast<std::size_t>(-1);

/// How a message's bytes are described to NCCL: as many elements of `type` as fit, or `count` of them.
struct elements {
    ncclDataType_t type = ncclChar;
    std::size_t count = all_that_fit;
};

/// The first three arguments of a call.
struct message {
    void* data;
    std::size_t count;
    ncclDataType_t type;
};

/// A buffer whose regions are given as NCCL takes them: the count is worked out once, not in the timed loop. Throws
/// std::length_error where the elements do not fit.
template <Buffer B>
class messages {
public:
    messages(B buffer, elements e) : buffer_{std::move(buffer)}, as_{e} {
        auto const fit = buffer_.size() / size_of(as_.type);
        if (as_.count == all_that_fit) as_.count = fit;
        if (as_.count > fit)
            throw std::length_error{"sonde::nccl: the region is smaller than so many elements of the type"};
    }
    message next() { return {buffer_.next().data(), as_.count, as_.type}; }
    /// Bytes that a message moves: fewer than its region has where elements do not fill it.
    std::size_t size() const { return as_.count * size_of(as_.type); }
    std::size_t regions() const { return sonde::regions(buffer_); }

private:
    B buffer_;
    elements as_;
};

} // namespace sonde::nccl
