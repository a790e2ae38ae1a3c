// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace imb {

/// An option that a program knows: `-name ARGUMENT`, or without an argument `-name` alone.
struct known_option {
    std::string name;
    std::string argument{}; // how help writes it: "PxQ"
    bool taken = true;      // false: it is an option of other programs, and no other is suggested in its place
};

/// An option as it was given.
struct given_option {
    std::string name;
    std::string value;
};

/// The words of a command line. With -help or -h anywhere there is nothing else.
struct command_line {
    bool help = false;
    std::optional<std::string> explained{}; // `-help NAME`, without the dash
    std::vector<given_option> options{};    // in the order given; repeated ones too
    std::vector<std::string> words{};       // that belong to no option, in the order given
};

/// How the names of options match.
enum class spelling : unsigned char { exact, any_case };

/// Takes a command line apart: names after one dash, of options that IMB has not also after two, the value is the next
/// word, be it negative. An option that is not known, or lacks its value, throws common::refusal; -help and -h are
/// always known.
command_line read(std::vector<known_option> const& known, int argc, char const* const* argv,
                  spelling names = spelling::exact);

} // namespace imb
