// SPDX-License-Identifier: BSL-1.0
// The programs of OpenSHMEM, each by the name of a link.
#include "osu/openshmem/openshmem_driver.hpp"

int main(int argc, char** argv) {
    using namespace osu::openshmem;
    auto all = latency_programs();
    for (auto const& more :
         {message_rate_programs(), {put_overlap_program(), atomics_program()}, collective_programs()})
        all.insert(all.end(), more.begin(), more.end());
    return suite::run_program(all, argc, argv);
}
