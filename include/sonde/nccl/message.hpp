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
inline std::size_t size_of(ncclDataType_t type) {
    switch (static_cast<int>(type)) { // numbers, since what a later NCCL has names for, an earlier one has not
    case 0:
    case 1:
    case 10:
    case 11:
        return 1; // int8, uint8; float8e4m3, float8e5m2
    case 6:
    case 9:
        return 2; // float16, bfloat16
    case 2:
    case 3:
    case 7:
        return 4; // int32, uint32, float32
    case 4:
    case 5:
    case 8:
        return 8; // int64, uint64, float64
    default:
        throw std::invalid_argument{"sonde::nccl: " + std::to_string(type) + " is no datatype"};
    }
}

constexpr auto all_that_fit = static_cast<std::size_t>(-1);

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
