// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

void work(std::size_t& calls);

/// Measures in another translation unit than `main`: the headers must link when two files include them.
std::size_t samples_of_another_file();
