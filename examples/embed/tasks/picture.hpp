// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tasks {

/// A picture of the Mandelbrot set, cut into tasks of a given number of pixels, row by row. A pixel far away from the
/// set costs one iteration, a pixel in the set `limit` iterations. Tasks are therefore very unequal, and their costs
/// are not known in advance.
struct picture {
    int columns = 1024;
    int rows = 768;
    int limit = 4000;
    int block = 64;

    std::int64_t pixels() const { return std::int64_t{columns} * rows; }
    std::int64_t tasks() const { return (pixels() + block - 1) / block; }
};

/// Sum of the iterations of a task's pixels: a whole number, equal on all ranks.
std::int64_t iterations(picture const& of, std::int64_t task);

/// Work that takes as long as a given number of iterations of a task. Returns their number.
std::int64_t iterate(std::int64_t times);

} // namespace tasks
