// SPDX-License-Identifier: BSL-1.0
#include "io.hpp"

int main(int argc, char** argv) { return imb::launch(argc, argv, imb::io_component()); }
