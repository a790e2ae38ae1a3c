// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "suite/devices.hpp"

#include <string>
#include <vector>

// Buffer places: the arguments SRC and DST beside the options, such as H and D, of the table of memory kinds.

namespace osu {

/// True for a buffer place of any program.
bool is_buffer_place(std::string const& argument);

/// Buffer place of a kind of memory: "D". Managed memory is M for programs that do not distinguish MH and MD.
std::string place_name(program const& about, memory_kind kind);

/// Buffer place in the lines above tables: "DEVICE (D)".
std::string place_label(program const& about, memory_kind kind);

/// Sets the placement and what follows from it. Throws refusal for buffer places that the program does not take.
void set_buffer_places(options& into, program const& about, std::vector<std::string> const& places);

/// The part of the command line that needs a device, as it is written: "D H"; empty if none does.
std::string device_request(options const& asked);

/// The interface of the device that the options need.
device_api api_of(options const& asked);

/// Suffix of the title: "-CUDA".
std::string title_suffix(program const& about, options const& asked);

/// Meaning of the buffer places for the help; empty for programs that take H H only.
std::string buffer_places_help(program const& about);

} // namespace osu
