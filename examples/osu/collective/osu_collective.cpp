// SPDX-License-Identifier: BSL-1.0
// The programs of collectives, each by the name of a link.
#include "osu/collective/collective_driver.hpp"

int main(int argc, char** argv) {
    auto all = osu::blocking_programs();
    for (auto const& more : {osu::nonblocking_programs(), osu::persistent_programs()})
        all.insert(all.end(), more.begin(), more.end());
    return suite::run_program(all, argc, argv);
}
