// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace suite {

/// A report of the command line: FORM=FILE.
struct report_file {
    std::string form;
    std::string path;
};

inline bool is_report_form(std::string const& form) {
    for (auto const* known : {"table", "csv", "json", "html", "plot"})
        if (form == known) return true;
    return false;
}

/// What a plan keeps for the reports: an html page draws the times of each rank.
inline sonde::keep_options kept_for(std::vector<report_file> const& reports) {
    auto const draws_ranks = [](report_file const& r) { return r.form == "html"; };
    return {.rank_samples = std::any_of(reports.begin(), reports.end(), draws_ranks)};
}

/// The environment that reports begin with: with the control variables of the MPI library if there are reports, and
/// with the device of each rank if `uses_device`. Collective over the group.
sonde::environment environment_of(sonde::mpi::group const& world, int argc, char const* const* argv,
                                  std::vector<report_file> const& reports, bool uses_device);

/// Sentence of the option in the help, and its accepted values in a refusal.
constexpr auto report_help = "full records: table, csv, json or html, or plot as .svg, .png or .pdf; may be repeated";
constexpr auto report_accepted = "table=FILE, csv=FILE, json=FILE, html=FILE or plot=FILE.svg, .png or .pdf";

/// Function that takes records. `finish` writes the rest, and throws if it cannot.
struct reporter {
    std::function<void(sonde::record const&)> take;
    std::function<void()> finish = [] {};

    void operator()(sonde::record const& r) const { take(r); }
};

/// The reporter open(). Exceptions of `open` and of `finish` become refusals that name the option.
reporter opened(std::string const& option, std::function<reporter()> const& open);

/// The reporter of a report file. Throws refusal, which names the option, if the file cannot be written.
reporter open_report(std::string const& option, report_file const& asked, sonde::environment const& where);

} // namespace suite
