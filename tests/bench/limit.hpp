// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>

/// Prints the last line of every benchmark, "name: value (limit x) ok"; returns the exit status of the program.
inline int report(char const* name, double value, double limit) {
    auto const good = value <= limit;
    std::printf("%s: %.4g (limit %.4g) %s\n", name, value, limit, good ? "ok" : "over");
    return good ? 0 : 1;
}
