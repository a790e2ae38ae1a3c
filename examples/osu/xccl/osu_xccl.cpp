// SPDX-License-Identifier: BSL-1.0
// Program of NCCL: the build defines OSU_FORM, a function of programs.hpp, and OSU_XCCL, the name of a row.
#include "osu/xccl/programs.hpp"

int main(int argc, char** argv) { return osu::xccl::OSU_FORM(argc, argv, OSU_XCCL); }
