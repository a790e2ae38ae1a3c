// SPDX-License-Identifier: BSL-1.0
// The programs of collectives, each by the name of a link.
#include "osu/collective/collective_calls.hpp"

int main(int argc, char** argv) {
    using namespace osu;
    return suite::run_program({blocking_programs(), nonblocking_programs(), persistent_programs()}, argc, argv);
}
