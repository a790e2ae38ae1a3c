// SPDX-License-Identifier: BSL-1.0
// Program of one row: the build defines OSU_RUN, a function of programs.hpp, and OSU_ROW, the name of the row.
#include "osu/programs.hpp"

int main(int argc, char** argv) { return osu::OSU_RUN(argc, argv, OSU_ROW); }
