// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json.hpp>

#include <pybind11/pybind11.h>

#include <string>

namespace binding {

/// Pickles a result as its object in JSON, which has all digits.
template <class Result>
auto pickled_as_json() {
    return pybind11::pickle([](Result const& found) { return sonde::detail::json_line(sonde::json(found)); },
                            [](std::string const& line) { return sonde::json::parse(line).get<Result>(); });
}

} // namespace binding
