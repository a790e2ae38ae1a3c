// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace osu {

/// Is it a word that says where buffers are?
bool is_place(std::string const& word);

/// A placement in the words of a program: where managed memory is of one kind, that is M.
char const* word(program const& about, placement where);

/// As lines above tables spell it: "DEVICE (D)".
std::string spelt(program const& about, placement where);

/// The words beside the options into them. Throws refusal for what a program does not take.
void set_places(options& into, program const& about, std::vector<std::string> const& words);

/// What of a command line needs a device, as it was written: "D H"; empty where nothing does.
std::string device_wish(options const& asked);

/// "-CUDA" in a title, and what `-v` says instead.
std::string title_suffix(program const& about, options const& asked);

/// What the words mean, for the help; empty where a program takes none but H H.
std::string explained_words(program const& about);

} // namespace osu
