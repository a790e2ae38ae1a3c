// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "grid.hpp"

#include <charconv>
#include <concepts>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace heat {

constexpr auto usage =
    "usage: heat [--grid COLUMNSxROWS] [--steps N] [--time-step T] [--timeline FILE] [--help]\n"
    "  --grid       cells between the walls of the unit square; 1024x768\n"
    "  --steps      time steps, 1 or more; 200\n"
    "  --time-step  above 0 and at most the limit of stability; nine tenths of the limit\n"
    "  --timeline   file for the time steps and messages of all ranks, for https://ui.perfetto.dev\n";

struct options {
    heat::grid grid{};
    int steps = 200;
    double time_step = 0;   // 0: to be chosen
    std::string timeline{}; // path; empty: none
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

inline grid parse_grid(std::string_view option, std::string_view text) {
    constexpr int most = 100'000;
    auto const x = text.find('x');
    if (x == text.npos)
        throw std::invalid_argument{std::string{option} + ": '" + std::string{text} +
                                    "' is not COLUMNSxROWS, as in 1024x768"};
    return {.rows = number(option, text.substr(x + 1), 1, most), .columns = number(option, text.substr(0, x), 1, most)};
}

/// The requested time step, or a stable one. Throws std::invalid_argument if the requested time step is unstable.
inline double time_step_of(options const& o) {
    auto const limit = stable_time_step(o.grid);
    if (o.time_step == 0) return 0.9 * limit;
    if (o.time_step > limit)
        throw std::invalid_argument{"--time-step: above the limit of stability on this grid, " + text_of(limit)};
    return o.time_step;
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
        if (option != "--grid" && option != "--steps" && option != "--time-step" && option != "--timeline")
            throw std::invalid_argument{"unknown option '" + std::string{option} + "'"};
        if (++i == argc) throw std::invalid_argument{std::string{option} + " needs a value"};
        std::string_view const value = argv[i];
        if (option == "--grid") o.grid = parse_grid(option, value);
        if (option == "--steps") o.steps = number(option, value, 1, 1'000'000'000);
        if (option == "--timeline") {
            if (value.empty()) throw std::invalid_argument{"--timeline needs the path of a file"};
            o.timeline = value;
        }
        if (option == "--time-step") o.time_step = number(option, value, 1e-15, 1.0);
    }
    return o;
}

} // namespace heat
