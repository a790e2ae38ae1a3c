// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace fake {

/// Does anybody want to know what was called?
bool logging();

/// A line for FAKE_CUDA_LOG and calls().
void log(std::string const& line);

/// From now on there are only later calls; the file is opened again.
void restart_log();

inline std::string text(std::string_view word) { return std::string{word}; }
template <class Number>
std::string text(Number n)
    requires requires { std::to_string(n); }
{
    return std::to_string(n);
}

/// A line of a function's name and what it was given, empty where nobody wants to know.
template <class... Word>
std::string line(std::string_view function, Word const&... words) {
    if (!logging()) return {};
    return (text(function) + ... + (' ' + text(words)));
}

} // namespace fake
