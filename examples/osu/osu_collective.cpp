// SPDX-License-Identifier: BSL-1.0
// A program of one collective in one form: the build says which.
#include "collectives/run.hpp"

int main(int argc, char** argv) { return osu::OSU_FORM(argc, argv, OSU_COLLECTIVE); }
