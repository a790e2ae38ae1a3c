// SPDX-License-Identifier: BSL-1.0
#include "mpi1.hpp"

#include "collective_rows.hpp"
#include "p2p_rows.hpp"

#include <utility>

namespace imb {

namespace {

std::vector<benchmark> rows() {
    std::vector<benchmark> all;
    for (auto* const some : {point_to_point, blocking_collectives, more_point_to_point})
        for (auto& row : some()) all.push_back(std::move(row));
    return all;
}

} // namespace

component mpi1() {
    component about{"IMB-MPI1", "MPI-1 part", rows()};
    about.lacks = {"aggregate_mode"};
    about.blanks = {.calling = true, .reductions = true, .last = true};
    return about;
}

} // namespace imb
