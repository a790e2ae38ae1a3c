// SPDX-License-Identifier: BSL-1.0
#include "component.hpp"
#include "nbc.hpp"

int main(int argc, char** argv) {
    return imb::launch(argc, argv,
                       {.program = "IMB-NBC",
                        .part = "MPI-NBC part",
                        .tests = imb::nonblocking_collectives(),
                        .lacks = imb::lacking({"aggregate_mode"})});
}
