// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "counts.hpp"
#include "parcel.hpp"
#include "setting.hpp"
#include "space.hpp"
#include "teams.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace imb {

/// What the sizes of one benchmark, with so many processes, in one mode, have in common.
struct circumstance {
    component const& about;
    options const& asked;
    benchmark const& test;
    imb::mode mode;
    sonde::mpi::group const& world;
    teams& ranks;
    element_type const& data;
    element_type const& reduced;
};

/// One size of it, on a rank of a group: memory, the benchmark, and how it is measured. Throws what allocating throws.
class trial {
public:
    trial(circumstance const& about, std::size_t bytes, space const& needed, std::shared_ptr<void>& kept);
    trial(trial&&) = delete; // the setting refers to the memory

    /// Make the benchmark; unmeasured runs, and the count that follows from them. Collective over the group.
    std::size_t estimate(counts const& by);
    /// One count for all groups, where they begin together: the least. Collective over all groups.
    std::size_t agreed(std::size_t n) const;
    /// What comes before n repetitions. Collective over the group.
    void warm_up(std::size_t n);
    /// The run that is reported, then contents. Collective over all groups.
    finding report(std::size_t n);
    /// How long the reported run took on this rank.
    sonde::seconds lasted() const { return lasted_; }

private:
    outcome measure(std::size_t n);
    sonde::seconds per_repetition(outcome const& found, std::size_t n) const;
    std::size_t count_by_time(counts const& by);

    circumstance about_;
    std::size_t bytes_;
    sonde::allocation<sonde::mpi::alloc_mem> send_;
    sonde::allocation<sonde::mpi::alloc_mem> receive_;
    setting where_;
    work does_;
    sonde::seconds lasted_{};
};

} // namespace imb
