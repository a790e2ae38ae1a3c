// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::model {

enum class kind : unsigned char { hockney, multi, max_rate, log_gp };

/// As `--model` takes them, in the order of `kind`.
inline std::vector<std::string> const& kind_names() {
    static std::vector<std::string> const names{"hockney", "multi", "max-rate", "loggp"};
    return names;
}

inline std::string const& name(kind k) { return kind_names()[static_cast<std::size_t>(k)]; }

/// "hockney, multi, ..".
inline std::string list_of_kinds() {
    std::string all;
    for (auto const& n : kind_names()) all += (all.empty() ? "" : ", ") + n;
    return all;
}

/// Throws std::runtime_error, with what is accepted.
inline kind kind_of(std::string const& word) {
    for (std::size_t i = 0; i != kind_names().size(); ++i)
        if (kind_names()[i] == word) return static_cast<kind>(i);
    throw std::runtime_error{"the model '" + word + "' is none of " + list_of_kinds()};
}

} // namespace tools::model
