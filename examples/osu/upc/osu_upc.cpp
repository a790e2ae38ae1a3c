// SPDX-License-Identifier: BSL-1.0
// The programs of UPC, each by the name of a link.
#include "osu/upc/upc_collectives.hpp"
#include "osu/upc/upc_pairs.hpp"

#include <bupc_extern.h>

#include <string_view>

namespace {

int run_program(int argc, char** argv) {
    using namespace osu::upc;
    return suite::run_program({pair_programs(), collective_programs()}, argc, argv);
}

} // namespace

/// UPC is started first, as Berkeley UPC requires; it starts and finalizes MPI. A list of names needs neither of them:
/// the build asks for it, where no job may run.
int main(int argc, char** argv) {
    if (argc == 2 && std::string_view{argv[1]} == "--programs") return run_program(argc, argv);
    bupc_init(&argc, &argv);
    bupc_exit(run_program(argc, argv));
}
