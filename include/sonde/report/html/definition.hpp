// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <string>

namespace sonde::detail {

/// A term and what it means, both escaped; nothing where it means nothing.
inline std::string html_definition(std::string const& term, std::string const& meaning) {
    return meaning.empty() ? meaning : "<dt>" + term + "</dt><dd>" + meaning + "</dd>\n";
}

/// A section of definitions; none where there are none.
inline std::string html_definitions(std::string const& heading, std::string const& definitions) {
    if (definitions.empty()) return {};
    return "<section>\n<h2>" + heading + "</h2>\n<dl>\n" + definitions + "</dl>\n</section>\n";
}

} // namespace sonde::detail
