// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace fake {

/// True if calls are logged.
bool logging();

/// Adds a line to FAKE_CUDA_LOG and calls().
void log(std::string const& line);

/// Drops the earlier calls, and opens the file again.
void restart_log();

inline std::string text(std::string_view word) { return std::string{word}; }
template <class Number>
std::string text(Number n)
    requires requires { std::to_string(n); }
{
    return std::to_string(n);
}

/// A line of a function's name and arguments, empty if calls are not logged.
template <class... Word>
std::string line(std::string_view function, Word const&... words) {
    if (!logging()) return {};
    return (text(function) + ... + (' ' + text(words)));
}

} // namespace fake
