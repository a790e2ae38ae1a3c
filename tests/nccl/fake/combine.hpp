// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nccl.h>

#include <cstddef>

namespace fake {

/// Bytes of an element; 0 for an unknown type.
std::size_t element_size(ncclDataType_t type);

/// True if the fake can reduce them, which excludes the 16-bit floating types.
bool combines(ncclDataType_t type, ncclRedOp_t op);

/// Combines `ranks` consecutive vectors of `count` elements, in their order.
void combine(std::byte const* vectors, int ranks, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
             std::byte* into);

} // namespace fake
