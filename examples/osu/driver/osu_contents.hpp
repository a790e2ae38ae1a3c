// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"

#include <sonde/memory/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace osu {

/// Contents of a message; each element is computed from them and its index.
struct contents {
    element kind;
    std::size_t size;      // of the row, in bytes
    std::size_t iteration; // round of the validation, plus the index of the message's region
};

/// A wrong element. `at`: its index in the region.
struct wrong_element {
    std::size_t at;
    double expected;
    double actual;
};

/// Append the element to the wrong ones if any byte differs.
template <class T>
void compare(std::size_t at, T expected, T actual, std::vector<wrong_element>& wrong) {
    if (std::memcmp(&actual, &expected, sizeof(T)) != 0)
        wrong.push_back({at, static_cast<double>(expected), static_cast<double>(actual)});
}

/// Write `value(i)` into every element of a region.
template <class T, class F>
void write_each(sonde::region bytes, F value) {
    for (std::size_t i = 0; i != bytes.size() / sizeof(T); ++i) {
        T const v = value(i);
        std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
    }
}

/// Compare every element of a region with `value(i)`.
template <class T, class F>
void compare_each(sonde::region bytes, F value, std::vector<wrong_element>& wrong) {
    for (std::size_t i = 0; i != bytes.size() / sizeof(T); ++i) {
        T actual{};
        std::memcpy(&actual, bytes.data() + i * sizeof(T), sizeof(T));
        compare<T>(i, value(i), actual, wrong);
    }
}

/// Rounds of a validation: ten, or the iterations of `-i` if they are fewer.
inline std::size_t check_rounds(options const& asked) {
    constexpr std::size_t most = 10;
    return std::min(most, asked.iterations.value_or(most));
}

/// Write the contents into a region. Bytes behind the last whole element stay.
void write(sonde::region bytes, contents const& c);

/// The elements that differ in any byte from those that `write` writes.
std::vector<wrong_element> find_wrong(sonde::region bytes, contents const& c);

/// Throws refusal if no log can be created in the directory. To be called before anything is measured, because the log
/// is created by the first wrong element.
void require_log(std::string const& directory);

/// List of the wrong elements of one rank (`-clog`): a file that the first wrong element creates.
class wrong_log {
public:
    wrong_log(std::string directory, int rank);
    void operator()(contents const& of, std::vector<wrong_element> const& wrong) const;

private:
    std::string directory_;
    std::string file_;
};

} // namespace osu
