// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <span>
#include <string>

namespace osu {

/// The argument of an option: none, one, one that may be missing, one that may be missing after the long name only.
enum class takes : unsigned char { nothing, one, maybe, maybe_long };

/// One option: how it is written, what its help says, and what it does to the options.
struct option {
    char letter; // 0: it has a long name only
    char const* name;
    takes argument;
    char const* words; // of the argument, in the help
    char const* help;
    void (*apply)(options& into, program const& about, std::string const& text);
    bool (*taken)(program const& about) = nullptr; // which programs take it, where its letter does not say that
};

/// Every option of every program.
std::span<option const> option_table();

/// Does the program take it? What has no letter, all take that `taken` does not except.
bool accepts(program const& about, option const& o);

/// "-m 8:4" or, without a letter, "--report xml"; without an argument the option alone.
std::string written(option const& o, std::string const& text);

} // namespace osu
