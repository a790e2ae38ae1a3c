// SPDX-License-Identifier: BSL-1.0
#include "suite/transport_note.hpp"

#include <sonde/group.hpp>
#include <sonde/witness/statements.hpp>

namespace suite {

void transport_note::add(sonde::record const& row) {
    if (!row.carried) return;
    if (sum_) sonde::add(*sum_, *row.carried);
    else sum_ = row.carried;
}

std::vector<std::string> transport_note::lines() const {
    if (!is_on_ || !sum_) return {};
    std::vector<std::string> all{"# Carried: " + sonde::transport_text(*sum_)};
    for (auto const& sentence : sonde::transport_statements(*sum_)) all.push_back("# Transport: " + sentence);
    return all;
}

std::string transport_note::complaint(sonde::mpi::group const& world) const {
    if (!expected_) return {};
    std::string why;
    if (world.rank() == 0)
        why = sum_ ? sonde::not_carried_by(*sum_, *expected_).value_or("") : "no counters were read around the rows";
    sonde::broadcast(world, why);
    return why;
}

} // namespace suite
