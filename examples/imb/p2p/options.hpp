// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../options.hpp"
#include "counts.hpp"
#include "touch.hpp"

#include <string>

namespace imb::p2p {

/// What the command line asks for.
struct options : imb::options {
    repetitions repeats;     // -iter
    touches touched;         // -msgwr, -msgrd
    long pause_us = 100'000; // before and after a size, negative: none
};

/// With sizes, whatever was asked. Throws common::refusal.
options parse(int argc, char const* const* argv);
/// What -help prints.
std::string usage(options const& asked);

} // namespace imb::p2p
