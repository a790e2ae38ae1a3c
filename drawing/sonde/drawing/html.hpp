// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/table.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {
class html_page;
}

/// The columns of `html` after the parameters: the columns of `default_columns`, with words in place of identifiers.
[[nodiscard]] std::vector<column> html_columns();

/// Reporter: records as a page for a browser, in one file without references to other files or to a network.
///
/// At the top the page says what was found: the medians of each name, and the outcome of each comparison.
///
/// For each name the page has figures of latency and bandwidth over "bytes", drawn by gnuplot, and a table with
/// sortable rows. For records with rank samples it names the stragglers, and shows the times of every rank in the four
/// records in which the ranks differ most. A comparison is a section of its own, with a figure of the speed-ups and
/// their intervals and a table of the alternatives. The scopes of a probe (the result of `collect`) are a table after
/// those of the records, and who made ranks wait (the result of `collect_lateness`) is a section. At the end the page
/// has the parameters, and the environment if it is given. Without gnuplot the page has a note in place of the figures.
/// The page is written when `finish` is called, or otherwise when the last copy of the reporter is destroyed. Until
/// then the file contains a draft without figures to which each record is appended, so that a program that is killed
/// leaves its results. All records are kept in memory until the end, without their rank samples.
///
/// Drawing takes gnuplot about a tenth of a second for each figure, during which the other ranks of a job wait for the
/// rank that draws in their next collective call; and compute nodes rarely have gnuplot. Therefore call `finish` after
/// the last collective call, or report by `json_lines` and make the page after the job with `sonde-report`.
///
/// Throws std::system_error if the file cannot be written. At the end only `finish` throws; without a call of `finish`
/// the error is printed to stderr.
class html {
public:
    explicit html(std::string path, std::optional<environment> const& where = {},
                  std::vector<column> columns = html_columns());

    void operator()(record const& r);
    void operator()(comparison const& found, criterion required = {});
    void operator()(std::vector<scope_record> const& found);
    void operator()(lateness_record const& found);
    /// Write the page, once, after the last record.
    void finish();

private:
    std::shared_ptr<detail::html_page> page_;
};

} // namespace sonde
