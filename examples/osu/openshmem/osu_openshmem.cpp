// SPDX-License-Identifier: BSL-1.0
// The programs of OpenSHMEM, each by the name of a link.
#include "osu/openshmem/openshmem_atomics.hpp"
#include "osu/openshmem/openshmem_collectives.hpp"
#include "osu/openshmem/openshmem_message_rate.hpp"
#include "osu/openshmem/openshmem_transfers.hpp"
#include "osu/openshmem/put_overlap.hpp"

int main(int argc, char** argv) {
    using namespace osu::openshmem;
    return suite::run_program({latency_programs(),
                               message_rate_programs(),
                               {put_overlap_program(), atomics_program()},
                               collective_programs()},
                              argc, argv);
}
