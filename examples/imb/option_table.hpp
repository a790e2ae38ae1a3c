// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "options.hpp"

#include <span>
#include <string>

namespace imb {

/// One option: how it is written, what help says, and what it does to the options.
struct option {
    char const* name;
    char const* argument; // "" where it has none
    char const* help;
    char const* accepted;  // of values
    char continued_by = 0; // given again, it goes on as if this and the value had followed; 0: applied again
    bool (*apply)(options& into, std::string const& text); // false: the text is not accepted
};

/// Every option of the programs that share a driver, in the order in which they are applied.
std::span<option const> option_table();

/// Does the program take it? -dir and -hint are for files.
bool accepts(component const& about, option const& o);

} // namespace imb
