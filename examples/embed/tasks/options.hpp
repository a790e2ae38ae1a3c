// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "picture.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace tasks {

constexpr auto usage = "usage: tasks [--picture COLUMNSxROWS] [--limit N] [--block PIXELS] [--way WAY] [--help]\n"
                       "  --picture  pixels of a picture of the Mandelbrot set; 1024x768\n"
                       "  --limit    iterations after which a pixel is taken for one of the set, 1 or more; 4000\n"
                       "  --block    pixels of a task, 1 or more; 64\n"
                       "  --way      how workers get their numbers: 'counter' of rank 0's memory, 'server' on rank 0,\n"
                       "             or 'measured', the better one of these here and now; measured\n";

enum class way { measured, counter, server };

struct options {
    tasks::picture picture{};
    tasks::way way = tasks::way::measured;
    bool help = false;
};

[[noreturn]] inline void refuse(std::string_view option, std::string_view text, std::string const& wanted) {
    throw std::invalid_argument{std::string{option} + ": '" + std::string{text} + "' is not " + wanted};
}

/// Converts a text to a number from 1 to `most`. Throws std::invalid_argument, with the name of the option, for any
/// other text.
inline int number(std::string_view option, std::string_view text, int most) {
    int value = 0;
    auto const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < 1 || value > most)
        refuse(option, text, "a number from 1 to " + std::to_string(most));
    return value;
}

inline void parse_size(std::string_view option, std::string_view text, picture& into) {
    constexpr int most = 100'000;
    auto const x = text.find('x');
    if (x == text.npos) refuse(option, text, "COLUMNSxROWS, as in 1024x768");
    into.columns = number(option, text.substr(0, x), most);
    into.rows = number(option, text.substr(x + 1), most);
}

inline way parse_way(std::string_view option, std::string_view text) {
    if (text == "counter") return way::counter;
    if (text == "server") return way::server;
    if (text != "measured") refuse(option, text, "measured, counter or server");
    return way::measured;
}

inline void require_few_tasks(picture const& p) {
    constexpr std::int64_t most = 10'000'000; // every rank keeps a ledger of all
    if (p.tasks() > most)
        throw std::invalid_argument{"--block: " + std::to_string(p.tasks()) + " tasks of " + std::to_string(p.block) +
                                    " pixels are more than " + std::to_string(most) + "; use larger blocks"};
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
        if (option != "--picture" && option != "--limit" && option != "--block" && option != "--way")
            throw std::invalid_argument{"unknown option '" + std::string{option} + "'"};
        if (++i == argc) throw std::invalid_argument{std::string{option} + " needs a value"};
        std::string_view const value = argv[i];
        if (option == "--picture") parse_size(option, value, o.picture);
        if (option == "--limit") o.picture.limit = number(option, value, 1'000'000);
        if (option == "--block") o.picture.block = number(option, value, 1'000'000);
        if (option == "--way") o.way = parse_way(option, value);
    }
    require_few_tasks(o.picture);
    return o;
}

} // namespace tasks
