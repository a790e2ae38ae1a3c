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
#include <utility>
#include <vector>

namespace embed {

/// The value of an option, bound to the variable that it sets.
struct option_value {
    std::function<bool(std::string_view)> set; // returns false for a text that it does not accept
    std::string accepted;                      // "a number from 1 to 64"
};

/// One option of an application. It takes a value.
struct option_row {
    std::string_view name;
    option_value value;
};

template <class T>
std::string text_of(T value) {
    char text[32];
    if constexpr (std::integral<T>) std::snprintf(text, sizeof text, "%d", value);
    else std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// A number from `least` to `most`.
template <class T>
option_value number(T& into, T least, T most) {
    auto const set = [=, &into](std::string_view text) {
        T value{};
        auto const* const end = text.data() + text.size();
        auto const [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc{} || stop != end || !(value >= least && value <= most)) return false;
        into = value;
        return true;
    };
    return {set, "a number from " + text_of(least) + " to " + text_of(most)};
}

/// Two numbers, such as "1024x768".
inline option_value columns_and_rows(int& columns, int& rows) {
    auto const set = [first = number(columns, 1, 100'000).set,
                      second = number(rows, 1, 100'000).set](std::string_view text) {
        auto const x = text.find('x');
        return x != text.npos && first(text.substr(0, x)) && second(text.substr(x + 1));
    };
    return {set, "COLUMNSxROWS, as in 1024x768, each up to 100000"};
}

/// One of several words, which stand for values.
template <class T>
option_value one_of(T& into, std::vector<std::pair<std::string_view, T>> const& words) {
    std::string accepted;
    for (auto const& [word, value] : words)
        accepted += (accepted.empty() ? "" : word == words.back().first ? " or " : ", ") + std::string{word};
    auto const set = [&into, words](std::string_view text) {
        auto const known = std::find_if(words.begin(), words.end(), [&](auto const& w) { return w.first == text; });
        if (known != words.end()) into = known->second;
        return known != words.end();
    };
    return {set, accepted};
}

/// Sets the variables of the options of a command line. Returns false at `--help`. Throws std::invalid_argument for an
/// unknown option and for a missing or an invalid value.
inline bool read_options(int argc, char const* const* argv, std::vector<option_row> const& known) {
    for (int i = 1; i < argc; ++i) {
        std::string const name = argv[i];
        if (name == "--help") return false;
        auto const o = std::find_if(known.begin(), known.end(), [&](auto const& k) { return k.name == name; });
        if (o == known.end()) throw std::invalid_argument{"unknown option '" + name + "'"};
        if (++i == argc) throw std::invalid_argument{name + " needs a value"};
        if (!o->value.set(argv[i]))
            throw std::invalid_argument{name + ": '" + argv[i] + "' is not " + o->value.accepted};
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
