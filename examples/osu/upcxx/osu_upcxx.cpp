// SPDX-License-Identifier: BSL-1.0
// The programs of UPC++, each by the name of a link.
#include "osu/upcxx/upcxx_collectives.hpp"
#include "osu/upcxx/upcxx_copies.hpp"

int main(int argc, char** argv) {
    using namespace osu::upcxx;
    return suite::run_program({copy_programs(), collective_programs()}, argc, argv);
}
