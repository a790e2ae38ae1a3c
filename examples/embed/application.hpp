// SPDX-License-Identifier: BSL-1.0
#pragma once

// Parts that the applications of this folder share: the command line, the text of an interval, and the run of a program
// on all ranks. They need MPI and the standard library only.

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace embed {

/// Value of an option on the command line, with the option's name for messages.
struct option_value {
    std::string_view option;
    std::string_view text;
};

/// Option that takes a value.
struct option {
    std::string_view name;
    std::function<void(option_value)> read;
};

[[noreturn]] inline void refuse(option_value v, std::string const& accepted) {
    throw std::invalid_argument{std::string{v.option} + ": '" + std::string{v.text} + "' is not " + accepted};
}

template <class T>
std::string text_of(T value) {
    char text[32];
    if constexpr (std::integral<T>) std::snprintf(text, sizeof text, "%d", value);
    else std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// Converts a value to a number. Throws std::invalid_argument if it is not a number from `least` to `most`.
template <class T>
T number(option_value v, T least, T most) {
    T value{};
    auto const* const end = v.text.data() + v.text.size();
    auto const [stop, error] = std::from_chars(v.text.data(), end, value);
    if (error != std::errc{} || stop != end || !(value >= least && value <= most))
        refuse(v, "a number from " + text_of(least) + " to " + text_of(most));
    return value;
}

struct columns_and_rows {
    int columns;
    int rows;
};

/// Converts a value such as "1024x768". Throws std::invalid_argument for any other text.
inline columns_and_rows read_columns_and_rows(option_value v) {
    constexpr int most = 100'000;
    auto const x = v.text.find('x');
    if (x == v.text.npos) refuse(v, "COLUMNSxROWS, as in 1024x768");
    return {number({v.option, v.text.substr(0, x)}, 1, most), number({v.option, v.text.substr(x + 1)}, 1, most)};
}

/// Read a command line of options with values. Returns false at `--help`. Throws std::invalid_argument for an unknown
/// option and for a missing or an invalid value.
inline bool read_options(int argc, char const* const* argv, std::vector<option> const& known) {
    for (int i = 1; i < argc; ++i) {
        std::string_view const name = argv[i];
        if (name == "--help") return false;
        auto const o = std::find_if(known.begin(), known.end(), [&](option const& k) { return k.name == name; });
        if (o == known.end()) throw std::invalid_argument{"unknown option '" + std::string{name} + "'"};
        if (++i == argc) throw std::invalid_argument{std::string{name} + " needs a value"};
        o->read({name, argv[i]});
    }
    return true;
}

/// "1.03 to 1.08", or "-" if there are too few samples for an interval. `value` converts a limit to a number.
template <class Interval, class Value>
std::string interval_text(Interval const& interval, Value value) {
    if (!interval) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", value(interval->low), value(interval->high));
    return text;
}

/// Throws std::system_error if the output of this process could not be written, for example because the disk is full.
inline void require_printed() {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw std::system_error{errno == 0 ? EIO : errno, std::generic_category(), "cannot write the output"};
}

/// Name and help text of an application, and its ranks.
struct application {
    char const* name;
    char const* usage;
    MPI_Comm comm;
};

/// Run an application on all its ranks, which have the same command line. `parse()` returns the options, or
/// std::nullopt if the user asks for help; `solve(options)` returns the exit status. A std::invalid_argument of either,
/// thrown on all ranks, has the status 2. Rank 0 prints. Any other exception ends the job.
template <class Parse, class Solve>
int run(application const& a, Parse parse, Solve solve) {
    int rank = 0;
    MPI_Comm_rank(a.comm, &rank);
    auto const status = [&] {
        try {
            if (auto const options = parse()) return solve(*options);
            if (rank == 0) std::fputs(a.usage, stdout);
            return 0;
        } catch (std::invalid_argument const& e) {
            if (rank == 0) std::fprintf(stderr, "%s: %s; %s --help says what is accepted\n", a.name, e.what(), a.name);
            return 2;
        }
    };
    return sonde::mpi::abort_on_exception(a.comm, [&] {
        auto const result = status();
        require_printed(); // an exception of this rank alone ends the job
        return result;
    });
}

} // namespace embed
