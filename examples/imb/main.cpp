// SPDX-License-Identifier: BSL-1.0
// IMB-MPI1 and the other programs of the IMB driver: the build defines IMB_COMPONENT, a function of programs.hpp.
#include "imb/programs.hpp"

int main(int argc, char** argv) { return imb::launch(argc, argv, imb::IMB_COMPONENT()); }
