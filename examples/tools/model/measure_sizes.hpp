// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tools::model {

/// Sizes in bytes, ascending, each once, of a text; 4K, 2M, 1G are of 1024.
///
///     A:B      from A to B, so many per doubling, evenly in the logarithm, each rounded to a whole number
///     A:B:S    A, A + S, A + 2 S .. up to B
///     A,B,..   these
///
/// Throws std::invalid_argument, in one line, for another text, a size of 0, more than 10000 sizes.
std::vector<std::size_t> sizes_of(std::string const& text, std::size_t per_octave);

} // namespace tools::model
