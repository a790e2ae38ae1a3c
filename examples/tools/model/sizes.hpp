// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// What K, M, G (k, KiB, ..) stand for, powers of 1024; 1 for "" and "B".
std::optional<std::size_t> size_unit(std::string unit);

/// "64K", "1M", "4096", "512KiB": whole bytes, at most 1024G. Throws std::invalid_argument, with `option`, for what is
/// none.
std::size_t size_in(std::string const& text, std::string const& option);

/// Sizes in bytes, ascending, each once, of a text, none below `least`.
///
///     A:B      from A to B, so many per doubling, evenly in the logarithm, each rounded to a whole number; 0, then
///     from 1 A:B:S    A, A + S, A + 2 S .. up to B A,B,..   these
///
/// Throws std::invalid_argument, in one line, for another text and for more than 10000 sizes.
std::vector<std::size_t> sizes_of(std::string const& text, std::size_t per_octave, std::size_t least = 1);

} // namespace tools::model
