// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/reporter.hpp"
#include "options.hpp"
#include "parcel.hpp"

#include <sonde/environment.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <vector>

namespace imb {

/// What `-report` asks for, every file opened. For world rank 0.
class reports {
public:
    reports() = default;
    /// Throws common::refusal where a file cannot be written.
    reports(options const& asked, sonde::environment const& where);

    /// The records of a group, of so many groups, with what only the driver knows: groups and repetitions; `errors` is
    /// 1 where contents were wrong, 0 where they were looked at. Pages and pictures are without settings that say
    /// nothing.
    void operator()(finding const& f, std::size_t groups);
    /// One record, as it is.
    void operator()(sonde::record const& found) const;
    /// Writes what is written at the end. Collective over the ranks; throws common::refusal, on all of them, where that
    /// cannot be.
    void finish(sonde::mpi::group const& world) const;

private:
    struct open_one {
        common::reporter take;
        bool read; // by people, not by programs
    };
    std::vector<open_one> all_;
};

/// Those of rank 0; of others none. Collective over the ranks; throws common::refusal, on all of them, where a file
/// cannot be written.
reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where);

} // namespace imb
