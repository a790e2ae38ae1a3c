// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// MPI calls of this process, intercepted by this executable's own functions: a letter each.
namespace trace {

/// p put, g get, a accumulate, m get_accumulate, o fetch_and_op, c compare_and_swap; f fence, F flush, l flush_local,
/// A flush_all, B flush_local_all; L lock, U unlock, K lock_all, V unlock_all; C a window made, X freed; b barrier,
/// t the clock.
inline std::string calls;
/// The place of each transfer at its origin and in the window, in bytes.
struct ends {
    std::byte const* origin;
    std::ptrdiff_t target;
};
inline std::vector<ends> transfers;
/// If set, transfers are logged but not executed.
inline bool forgets = false;

} // namespace trace
