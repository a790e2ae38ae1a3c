// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/any_reporter.hpp>

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binding {

namespace py = pybind11;

/// A record, a comparison, the scopes of a probe, or who made ranks wait.
using reported =
    std::variant<sonde::record, sonde::reported_comparison, std::vector<sonde::scope_record>, sonde::lateness_record>;

/// A reporter of Sonde that writes a file, on rank 0; on other ranks it does nothing.
class reporter {
public:
    explicit reporter(sonde::any_reporter made) : report_{std::move(made)} {}

    void take(reported const& found);
    /// Completes the file. Later results are refused.
    void close();
    bool is_closed() const { return !report_; }

private:
    std::optional<sonde::any_reporter> report_;
};

/// A reporter for a path, by the ending of its name. The file begins with the environment of the
/// group where its format has one. Throws ValueError for another extension and OSError for a file that cannot be
/// written, on all ranks. Collective over the group.
std::shared_ptr<reporter> open_report(std::string const& function, std::string const& path,
                                      sonde::mpi::group const& ranks);

/// An argument that says where results are reported: None, a reporter that is open, or a path.
class report_argument {
public:
    report_argument() = default; // None
    /// Throws TypeError or ValueError for what is neither.
    report_argument(std::string function, py::handle report);

    /// A number that is equal on all ranks if their arguments are.
    double identity() const;
    /// The reporter; null for None. Throws what `open_report` throws. Collective over the group.
    std::shared_ptr<reporter> open(sonde::mpi::group const& ranks) const;

private:
    std::string function_;
    std::shared_ptr<reporter> opened_;
    std::optional<std::string> path_;
};

/// The line of JSON Lines of a result.
std::string json_text(reported const& found);

/// The result in a line of JSON Lines. Throws ValueError for a line that has none.
reported result_of(std::string const& line);

} // namespace binding
