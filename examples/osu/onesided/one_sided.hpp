// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../program.hpp"
#include "choices.hpp"

#include <sonde/mpi/rma/epochs.hpp>

namespace osu {

/// What is timed: a transfer, or with an active target one there and one back; a window of them; one both ways at once.
enum class pace : unsigned char { latency, bandwidth, both_ways };

/// What an operation leaves at the target: what was there, what was sent, their sum, or what was sent where what was
/// there equals something.
enum class effect : unsigned char { nothing, replaces, adds, swaps };

/// What tells one program from the others, beside its call.
struct one_sided {
    char const* name;  // osu_NAME
    char const* title; // OSU TITLE Test
    pace measures = pace::latency;
    effect leaves = effect::nothing;
    bool fetches = false;
    bool typed = false;       // -T; and with -c there is a summary at the end
    bool one_element = false; // whatever the size of the window
    bool names_type = true;   // above the rows; and the title says what -d does
    creation made_by = creation::allocate;
    synchronization under = synchronization::flush;
    sonde::mpi::lock_type lock = sonde::mpi::lock_type::shared;    // of -s lock
    sonde::mpi::lock_type lasting = sonde::mpi::lock_type::shared; // of -s flush and flush_local
    schedule counted = latency_counts;
    schedule counted_with_lock = counted;

    constexpr bool sends() const { return leaves != effect::nothing; }
    constexpr bool compares() const { return leaves == effect::swaps; }
    constexpr schedule counts_under(synchronization s) const {
        return s == synchronization::lock ? counted_with_lock : counted;
    }
    /// Does the target access the origin's window, too?
    constexpr bool mutual(synchronization s) const {
        return measures == pace::both_ways || (measures == pace::latency && !is_passive(s));
    }
};

/// A program that measures so.
program program_of(one_sided const& what);

} // namespace osu
