// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace particles {

constexpr auto usage = "usage: particles [--particles N] [--reach R] [--steps N] [--help]\n"
                       "  --particles  of each rank, 1 or more; 2000\n"
                       "  --reach      of the force between particles, as a part of a rank's length; 0.1\n"
                       "  --steps      time steps, 1 or more; 200\n";

struct options {
    int particles = 2000; // of each rank
    double reach = 0.1;
    int steps = 200;
    bool help = false;
};

template <class T>
std::string text_of(T value) {
    char text[32];
    if constexpr (std::integral<T>) std::snprintf(text, sizeof text, "%d", value);
    else std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// Converts a text to a number. Throws std::invalid_argument, with the name of the option, if the text is not a number
/// or the number is out of range.
template <class T>
T number(std::string_view option, std::string_view text, T least, T most) {
    T value{};
    auto const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !(value >= least && value <= most))
        throw std::invalid_argument{std::string{option} + ": '" + std::string{text} + "' is not a number from " +
                                    text_of(least) + " to " + text_of(most)};
    return value;
}

/// Throws std::invalid_argument for an invalid command line.
inline options parse(int argc, char const* const* argv) {
    options o;
    for (int i = 1; i < argc; ++i) {
        std::string_view const option = argv[i];
        if (option == "--help") {
            o.help = true;
            return o;
        }
        if (option != "--particles" && option != "--reach" && option != "--steps")
            throw std::invalid_argument{"unknown option '" + std::string{option} + "'"};
        if (++i == argc) throw std::invalid_argument{std::string{option} + " needs a value"};
        std::string_view const value = argv[i];
        if (option == "--particles") o.particles = number(option, value, 1, 1'000'000);
        if (option == "--reach") o.reach = number(option, value, 1e-6, 0.5);
        if (option == "--steps") o.steps = number(option, value, 1, 1'000'000'000);
    }
    return o;
}

} // namespace particles
