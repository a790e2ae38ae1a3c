// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>

namespace fake {

enum class memory_type : unsigned char { pageable, pinned, device, managed };

/// Memory as the runtime sees it: its type, its device, and the fake's own mapping.
struct place {
    std::byte* bytes;
    memory_type type;
    int device;
};

/// The place of n bytes of a program; empty if they are not within an allocation.
std::optional<place> place_of(void const* address, std::size_t n);

/// New memory of the current device (or host), null if it is exhausted.
void* allocate(memory_type type, std::size_t n);

/// Frees memory of one of two types; false for any other address.
bool deallocate(void* address, memory_type type, memory_type or_type);

/// Bytes of a device allocated by cudaMalloc.
std::size_t taken(int device);

/// Drops the memory of a device, or of all (-1).
void forget_allocations(int device);

} // namespace fake
