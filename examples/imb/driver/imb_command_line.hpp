// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace imb {

/// Parse the command line of a program. No MPI is needed; each rank that calls reads the files that it names. Throws
/// suite::refusal.
options parse(component const& about, int argc, char const* const* argv);

/// Arguments of a command line. With -help or -h anywhere there are no others.
struct command_line {
    bool help = false;
    std::optional<std::string> explained{}; // `-help NAME`, without the dash
    std::vector<given_option> options{};    // in the order given, with repeated ones
    std::vector<std::string> operands{};    // arguments that belong to no option, in the order given
};

/// Takes a command line apart: names follow one dash, those of options that IMB lacks also two; the value is the next
/// argument, also a negative number. Throws suite::refusal for an unknown option and for a missing value; -help and -h
/// are always known, and followed by a benchmark of the program they are of all options. The rows must outlive the
/// result.
command_line read(std::vector<option_row> const& rows, int argc, char const* const* argv,
                  option_style style = option_style::one_dash, std::vector<benchmark> const& benchmarks = {});

/// What -help prints: all options or, with `-help NAME`, that option.
std::string usage(std::string const& program, std::vector<option_row> const& rows,
                  std::optional<std::string> const& explained);

} // namespace imb
