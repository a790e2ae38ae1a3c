// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/buffer.hpp>

#include <cstddef>
#include <string>

namespace osu {

/// Which message: elements of the contents follow from it.
struct contents {
    element kind;
    std::size_t size;      // the row's
    std::size_t iteration; // round of the check, plus the message's place in a window of separate buffers
};

/// Write what the message holds, element by element. A byte that is no part of an element stays.
void write(sonde::region bytes, contents const& c);

/// How many elements differ from what `write` writes, every byte compared.
std::size_t count_wrong(sonde::region bytes, contents const& c);

/// Where wrong elements are listed (`-clog`): a file a rank, made by the first wrong element.
class wrong_log {
public:
    wrong_log(std::string directory, int rank);
    void operator()(sonde::region bytes, contents const& c) const;

private:
    std::string directory_;
    std::string file_;
};

} // namespace osu
