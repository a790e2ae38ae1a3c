// SPDX-License-Identifier: BSL-1.0
// The IMB programs, in one executable: the build makes a link with the name of each.
#include "imb/example/imb_example.hpp"
#include "imb/halo/imb_halo.hpp"
#include "imb/io/io.hpp"
#include "imb/mpi1/mpi1.hpp"
#include "imb/mpi1/overlapped_collectives.hpp"
#include "imb/mt/mt.hpp"
#include "imb/one_sided/rma_measure.hpp"
#include "imb/p2p/p2p.hpp"
#include "suite/launch.hpp"

#include <vector>

namespace {

suite::named_program program(char const* name, imb::component (*benchmarks)()) {
    return {name, [=](int argc, char** argv) {
                auto about = benchmarks();
                about.program = name;
                return imb::launch(argc, argv, about);
            }};
}

std::vector<suite::named_program> programs() {
    std::vector<suite::named_program> all{
        program("IMB-MPI1", imb::mpi1),       program("IMB-EXT", imb::ext),
        program("IMB-RMA", imb::rma),         program("IMB-NBC", imb::nbc),
        program("IMB-IO", imb::io_component), program("IMB-P2P", imb::p2p_component),
        program("IMB-MT", imb::mt_component), program("IMB-HALO", imb::halo_component),
        program("IMB-EXAMPLE", imb::example),
    };
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    all.push_back(program("IMB-MPI4", imb::mpi4));
#endif
    return all;
}

} // namespace

int main(int argc, char** argv) { return suite::run_program({programs()}, argc, argv); }
