// SPDX-License-Identifier: BSL-1.0
#include "component.hpp"
#include "mpi4.hpp"

int main(int argc, char** argv) {
    return imb::launch(argc, argv,
                       {.program = "IMB-MPI4",
                        .part = "MPI-4 part",
                        .tests = imb::persistent_collectives(),
                        .lacks = imb::lacking({"aggregate_mode"}),
                        .blanks = {.last = true}});
}
