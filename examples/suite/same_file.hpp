// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace suite {

/// True if both names are of one file, whether it exists or not.
inline bool is_same_file(std::string const& a, std::string const& b) {
    namespace fs = std::filesystem;
    std::error_code unknown;
    if (a == b || fs::equivalent(a, b, unknown)) return true;
    auto const place = [&](std::string const& name) {
        return fs::weakly_canonical(fs::absolute(name, unknown), unknown);
    };
    auto const first = place(a), second = place(b);
    return !first.empty() && first == second;
}

} // namespace suite
