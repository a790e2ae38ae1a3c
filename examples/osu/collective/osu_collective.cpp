// SPDX-License-Identifier: BSL-1.0
// Program of one collective in one call mode: the build defines OSU_FORM, a function of programs.hpp, and
// OSU_COLLECTIVE, the name of a row.
#include "osu/collective/programs.hpp"

int main(int argc, char** argv) { return osu::OSU_FORM(argc, argv, OSU_COLLECTIVE); }
