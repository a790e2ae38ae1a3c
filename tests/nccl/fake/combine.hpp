// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nccl.h>

#include <cstddef>

namespace fake {

/// Bytes of an element; 0 for what is no type.
std::size_t element_size(ncclDataType_t type);

/// Can the fake reduce them? Not the short floating types.
bool combines(ncclDataType_t type, ncclRedOp_t op);

/// `ranks` vectors of `count` elements, one behind the other, combined in their order.
void combine(std::byte const* vectors, int ranks, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
             std::byte* into);

} // namespace fake
