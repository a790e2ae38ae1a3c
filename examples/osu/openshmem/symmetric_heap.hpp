// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

namespace osu::openshmem {

/// Chooses the size of the symmetric heap, before OpenSHMEM starts, and returns it: if the environment does not, the
/// bytes of the data and of the reductions. A text of the environment is a number, and K, M, G or T for powers of 1024
/// (OpenSHMEM 1.4, section 8). Throws refusal if the environment chooses less, or two sizes.
std::size_t choose_heap(std::string const& program, std::size_t data_bytes);

} // namespace osu::openshmem
