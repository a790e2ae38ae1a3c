// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/probe/scope_record.hpp>

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace binding {

namespace py = pybind11;

/// A record, a comparison or the scopes of a probe.
using reported = std::variant<sonde::record, sonde::reported_comparison, std::vector<sonde::scope_record>>;

/// A reporter of Sonde that writes a file, on rank 0; on other ranks it does nothing.
class reporter {
public:
    virtual ~reporter() = default;
    virtual void take(reported const& found) = 0;
    /// Completes the file. Later results are refused.
    virtual void close() = 0;
};

/// A reporter for a path, by its extension: .jsonl, .csv, .html or .txt. The file begins with the environment of the
/// group where its format has one. Throws ValueError for another extension and OSError for a file that cannot be
/// written, on all ranks. Collective over the group.
std::shared_ptr<reporter> open_report(std::string const& function, std::string const& path,
                                      sonde::mpi::group const& ranks);

/// Whether the argument `report` is None (0), an open reporter (1) or a path (2).
double kind_of_report(py::handle report);

/// The reporter of the argument `report`: a path, or a reporter that is open.
std::shared_ptr<reporter> reporter_of(std::string const& function, py::handle report, sonde::mpi::group const& ranks);

/// The line of JSON Lines of a result.
std::string json_text(reported const& found);

} // namespace binding
