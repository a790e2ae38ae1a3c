// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// MPI's calls of this process, as this executable's own functions saw them: a letter each.
namespace trace {

/// p put, g get, a accumulate, m get_accumulate, o fetch_and_op, c compare_and_swap; f fence, F flush, l flush_local,
/// A flush_all, B flush_local_all; L lock, U unlock, K lock_all, V unlock_all; C a window made, X freed; b barrier,
/// t the clock.
inline std::string calls;
/// Where each transfer is at its origin, and in the window, in bytes.
struct ends {
    std::byte const* origin;
    std::ptrdiff_t target;
};
inline std::vector<ends> transfers;
/// Are transfers begun only to be forgotten?
inline bool forgets = false;

} // namespace trace
