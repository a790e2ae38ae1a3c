// SPDX-License-Identifier: BSL-1.0
#include "rma.hpp"

#include "rma_rows.hpp"

#include <utility>

namespace imb {

namespace {

/// In the order of IMB's list, which is that of the families, but for one row.
std::vector<benchmark> rows() {
    std::vector<benchmark> all;
    for (auto* const some : {rma_pair_rows, rma_many_rows, rma_atomic_rows})
        for (auto& row : some()) all.push_back(std::move(row));
    all.push_back(truly_passive_row());
    return all;
}

} // namespace

component rma() {
    component about{"IMB-RMA", "MPI-RMA part", rows()};
    about.lacks = lacking({"zero_size"});
    about.windows = true;
    about.blanks = {.calling = true, .last = true};
    return about;
}

} // namespace imb
