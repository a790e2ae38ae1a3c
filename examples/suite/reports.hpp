// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/report_file.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace suite {

/// What a plan keeps for the reports: an html page draws the times of each rank.
inline sonde::keep_options kept_for(std::vector<report_file> const& reports) {
    auto const draws_ranks = [](report_file const& r) { return sonde::properties_of(r.form).needs_rank_samples; };
    return {.rank_samples = std::any_of(reports.begin(), reports.end(), draws_ranks)};
}

/// The environment that reports begin with: with the control variables of the MPI library if there are reports, and
/// with the device of each rank if `uses_device`. Collective over the group.
sonde::environment environment_of(sonde::mpi::group const& world, int argc, char const* const* argv,
                                  std::vector<report_file> const& reports, bool uses_device);

/// Function that takes records. `finish` writes the rest, and throws if it cannot.
struct reporter {
    std::function<void(sonde::record const&)> take;
    std::function<void()> finish = [] {};

    void operator()(sonde::record const& r) const { take(r); }
};

/// The reporter open(). Exceptions of `open` and of `finish` become refusals that name the option. After a record that
/// cannot be written, as on a full disk, the report keeps what it has and takes no more: the measurement goes on, which
/// other ranks take part in, and `finish` throws.
reporter opened(std::string const& option, std::function<reporter()> const& open);

/// The reporter of a report file. Throws refusal, which names the option, if the file cannot be written.
reporter open_report(std::string const& option, report_file const& asked, sonde::environment const& where);

} // namespace suite
