// SPDX-License-Identifier: BSL-1.0
// A program of one one-sided operation: the build says which.
#include "osu/one_sided/driver.hpp"

int main(int argc, char** argv) { return osu::run_one_sided(argc, argv, OSU_ONE_SIDED); }
