// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/io/test_file.hpp"

#include <cstddef>
#include <functional>

namespace imb::io {

/// Transfers in a check of contents. The second one begins where the first one has left the file pointers.
constexpr std::size_t checked_transfers = 2;

/// Check of `transfer`, which synchronizes what it writes: 1 if the file has other contents than the ranks wrote, else
/// 0. Each rank's bytes have their place; of unordered ranks each piece is there once and whole. An error in reading
/// the file goes to `error`. Collective over the setting's group.
double written_defects(setting& s, test_file const& file, std::function<void()> const& transfer, first_error& error);

/// Check of `transfer`: 1 if it reads other contents than the file has, else 0. The pieces of unordered ranks may come
/// from anywhere, and together are all that is read. Collective over the setting's group.
double read_defects(setting& s, test_file const& file, std::function<void()> const& transfer);

} // namespace imb::io
