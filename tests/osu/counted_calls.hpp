// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

/// The numbers of calls of this rank.
inline std::map<std::string, long>& calls() {
    static std::map<std::string, long> counts;
    return counts;
}

/// Writes them to $SONDE_COUNTS-RANK, if it is set.
inline void write_counts(int rank) {
    auto const* const path = std::getenv("SONDE_COUNTS");
    auto* const out =
        path == nullptr ? nullptr : std::fopen((std::string{path} + "-" + std::to_string(rank)).c_str(), "w");
    if (out == nullptr) return;
    for (auto const& [name, n] : calls()) std::fprintf(out, "%s %ld\n", name.c_str(), n);
    std::fclose(out);
}

/// True if $SONDE_FAULT is this way to damage data.
[[maybe_unused]] inline bool fault(char const* how) {
    auto const* const asked = std::getenv("SONDE_FAULT");
    return asked != nullptr && std::string{asked} == how;
}

} // namespace
