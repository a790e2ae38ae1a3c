// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../program.hpp"

#include <cstddef>
#include <string_view>

namespace osu {

/// A form in which OMB has programs of a collective: osu_NAME, osu_iNAME, osu_NAME_persistent.
enum class family : unsigned char { blocking, nonblocking, persistent };

/// What a row's size is: of a block for each rank, of one message for all, or of a vector that all ranks' are added to.
enum class meaning : unsigned char { block, message, vector };

/// What tells one collective from the others, beside its call.
struct collective {
    char const* name;
    char const* families; // b: blocking, n: non-blocking, p: persistent
    char const* title;
    char const* letters; // options beside those of all
    meaning size_is = meaning::block;
    bool sized = true;
    char const* nonblocking_title = nullptr; // where that is not "Non-blocking " and the title
    char const* nonblocking_lacks = "";      // letters
    schedule nonblocking_counted = collective_counts;
    bool says_limit = true; // of -M, where it leaves sizes out

    constexpr bool has(char letter) const { return std::string_view{letters}.find(letter) != std::string_view::npos; }
};

/// A program that measures a collective in a form.
program program_of(collective const& what, family form);

} // namespace osu
