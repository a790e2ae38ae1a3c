// SPDX-License-Identifier: BSL-1.0
#include "rma.hpp"

#include "rma_rows.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace imb {

namespace {

/// In the order of IMB's list.
constexpr char const* order[] = {"Unidir_put",   "Bidir_put",        "Unidir_get",       "Bidir_get",
                                 "Put_local",    "Get_local",        "Put_all_local",    "Get_all_local",
                                 "One_put_all",  "All_put_all",      "One_get_all",      "All_get_all",
                                 "Exchange_put", "Exchange_get",     "Accumulate",       "Get_accumulate",
                                 "Fetch_and_op", "Compare_and_swap", "Truly_passive_put"};

std::vector<benchmark> in_order(std::vector<benchmark> rows) {
    auto const place = [](benchmark const& b) { return std::find(std::begin(order), std::end(order), b.name); };
    std::sort(rows.begin(), rows.end(), [&](auto const& a, auto const& b) { return place(a) < place(b); });
    return rows;
}

} // namespace

component rma() {
    std::vector<benchmark> rows;
    for (auto* const some : {rma_pair_rows, rma_atomic_rows, rma_many_rows})
        for (auto& row : some()) rows.push_back(std::move(row));
    component about{"IMB-RMA", "MPI-3 RMA part", in_order(std::move(rows))};
    about.lacks = {"zero_size", "window_size", "data_type", "red_data_type", "contig_type", "msgsize"};
    about.trailing_blanks = true;
    return about;
}

} // namespace imb
