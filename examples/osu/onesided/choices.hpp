// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace osu {

/// How a window is made (`-w`).
enum class creation : unsigned char { create, allocate, dynamic };

/// What one-sided transfers lie between (`-s`).
enum class synchronization : unsigned char { lock, flush, flush_local, lock_all, pscw, fence };

constexpr bool is_passive(synchronization s) { return s != synchronization::pscw && s != synchronization::fence; }

/// As the option says it.
std::string word(creation how);
std::string word(synchronization s);

/// By the name of MPI's functions, as above the rows.
std::string called(creation how);
std::string called(synchronization s);

} // namespace osu
