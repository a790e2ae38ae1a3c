// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tasks {

/// A picture of the Mandelbrot set, cut into tasks of so many pixels, row by row. A pixel costs one iteration far away
/// from the set, and `limit` of them in it: tasks are very unequal, and nobody knows how much before they are done.
struct picture {
    int columns = 1024;
    int rows = 768;
    int limit = 4000;
    int block = 64;

    std::int64_t pixels() const { return std::int64_t{columns} * rows; }
    std::int64_t tasks() const { return (pixels() + block - 1) / block; }
};

/// The iterations of a task's pixels, summed: a whole number, the same whoever counts it.
std::int64_t iterations(picture const& of, std::int64_t task);

/// Work that takes as long as so many iterations of a task; their number.
std::int64_t iterate(std::int64_t times);

} // namespace tasks
