// SPDX-License-Identifier: BSL-1.0
// A program of NCCL: the build says which.
#include "run.hpp"

int main(int argc, char** argv) { return osu::xccl::OSU_FORM(argc, argv, OSU_XCCL); }
