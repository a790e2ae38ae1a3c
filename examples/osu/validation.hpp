// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace osu {

/// f(T{}) with the type of the elements.
template <class F>
decltype(auto) with_type(element kind, F f) {
    switch (kind) {
    case element::integer:
        return f(int{});
    case element::real:
        return f(float{});
    case element::character:
        break;
    }
    return f(char{});
}

/// Which message: elements of the contents follow from it.
struct contents {
    element kind;
    std::size_t size;      // the row's
    std::size_t iteration; // round of the check, plus the message's place in a window of separate buffers
};

/// An element that is another than it should be; its place counts elements of the region.
struct wrong_element {
    std::size_t at;
    double expected;
    double actual;
};

/// An element that is another, by any byte, joins the wrong ones.
template <class T>
void compare(std::size_t at, T expected, T actual, std::vector<wrong_element>& wrong) {
    if (std::memcmp(&actual, &expected, sizeof(T)) != 0)
        wrong.push_back({at, static_cast<double>(expected), static_cast<double>(actual)});
}

/// value(i) into every element of a region.
template <class T, class F>
void write_each(sonde::region bytes, F value) {
    for (std::size_t i = 0; i != bytes.size() / sizeof(T); ++i) {
        T const v = value(i);
        std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
    }
}

/// Every element of a region compared with value(i).
template <class T, class F>
void compare_each(sonde::region bytes, F value, std::vector<wrong_element>& wrong) {
    for (std::size_t i = 0; i != bytes.size() / sizeof(T); ++i) {
        T actual{};
        std::memcpy(&actual, bytes.data() + i * sizeof(T), sizeof(T));
        compare<T>(i, value(i), actual, wrong);
    }
}

/// Rounds of a check: ten, or as many as are measured.
inline std::size_t check_rounds(options const& asked) {
    constexpr std::size_t most = 10;
    return std::min(most, asked.iterations.value_or(most));
}

/// Write what the message holds, element by element. A byte that is no part of an element stays.
void write(sonde::region bytes, contents const& c);

/// The elements that differ from what `write` writes, every byte compared.
std::vector<wrong_element> find_wrong(sonde::region bytes, contents const& c);

/// Throws refusal where a log cannot be made there: when something is wrong is too late to find that out.
void require_log(std::string const& directory);

/// Where wrong elements are listed (`-clog`): a file a rank, made by the first wrong element.
class wrong_log {
public:
    wrong_log(std::string directory, int rank);
    void operator()(contents const& of, std::vector<wrong_element> const& wrong) const;

private:
    std::string directory_;
    std::string file_;
};

} // namespace osu
