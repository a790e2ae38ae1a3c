// SPDX-License-Identifier: BSL-1.0
#include "mpi1.hpp"

int main(int argc, char** argv) { return imb::launch(argc, argv, imb::mpi1()); }
