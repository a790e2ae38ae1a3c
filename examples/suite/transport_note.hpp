// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/witness.hpp>

#include <optional>
#include <string>
#include <vector>

namespace suite {

/// Which network devices carried the messages of all rows of a program, for `--witness`; and whether it was the device
/// of `--expect-device`.
class transport_note {
public:
    /// `expected`: name of a device; reads nothing unless it is given, or `shown`.
    transport_note(bool shown, std::optional<std::string> expected)
        : is_on_{shown || expected}, expected_{std::move(expected)} {}

    /// For the plan of a row (`keep`); null if nothing is read. The note must outlive the plan's runs.
    sonde::carried_reader* reader() { return is_on_ ? &devices_ : nullptr; }
    /// Add a row.
    void add(sonde::record const& row);
    /// Lines below the table, on rank 0: what carried the messages of all rows, and what is wrong with it.
    std::vector<std::string> lines() const;
    /// Why the expected device did not carry the messages, on all ranks; empty if it did. Collective over the group.
    std::string complaint(sonde::mpi::group const& world) const;

private:
    bool is_on_;
    std::optional<std::string> expected_;
    sonde::witness devices_;
    std::optional<sonde::carried_traffic> sum_; // on rank 0, of a row or more
};

} // namespace suite
