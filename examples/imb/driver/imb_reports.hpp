// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/reports.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

/// A result as a text, to travel between ranks, and back. Numbers are exact.
std::string text_of(result const& r);
result result_of(std::string const& text);

/// Open reports of `-report`, on world rank 0; on other ranks there are none.
class reports {
public:
    reports() = default;
    /// Throws suite::refusal if a file cannot be opened for writing.
    reports(options const& asked, sonde::environment const& where);

    /// Report the records of one group out of `groups`, with the parameters `groups` and `repetitions`; `errors` is 1
    /// if contents were wrong and 0 if they were right. HTML pages and plots omit parameters without information.
    void operator()(result const& r, std::size_t groups);
    /// Report a record unchanged.
    void operator()(sonde::record const& r) const;
    /// Write the ends of the files. Collective over the ranks; throws suite::refusal on all of them if a write fails.
    void finish(sonde::mpi::group const& world) const;

private:
    struct open_report {
        suite::reporter take;
        bool for_people; // HTML or plot
    };
    std::vector<open_report> all_;
};

/// Open the reports on rank 0. Collective over the ranks; throws suite::refusal on all of them if a file cannot be
/// opened for writing.
reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where);

} // namespace imb
