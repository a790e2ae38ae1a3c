// SPDX-License-Identifier: BSL-1.0
#include "collective_rows.hpp"
#include "component.hpp"
#include "p2p_rows.hpp"

namespace {

std::vector<imb::benchmark> tests() {
    auto rows = imb::point_to_point();
    for (auto const& more : {imb::blocking_collectives(), imb::more_point_to_point()})
        rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

} // namespace

int main(int argc, char** argv) {
    return imb::launch(argc, argv,
                       {.program = "IMB-MPI1",
                        .part = "MPI-1 part",
                        .tests = tests(),
                        .lacks = {"aggregate_mode"},
                        .trailing_blanks = true});
}
