// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "suite/contents.hpp"

#include <sonde/memory/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// Contents of a message; each element is computed from them and its index.
struct contents {
    element kind;
    std::size_t size;      // of the row, in bytes
    std::size_t iteration; // round of the validation, plus the index of the message's region
};

/// Rounds of a validation: those of `--check-bits`; or ten, or the iterations of `-i` if they are fewer.
inline std::size_t check_rounds(options const& asked) {
    constexpr std::size_t most = 10;
    return asked.check.bits.value_or(std::min(most, asked.iterations.value_or(most)));
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
