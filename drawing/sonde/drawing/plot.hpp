// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/sample_pages.hpp>
#include <sonde/drawing/size_figures.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/text.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// The metric of a record's samples that is drawn: its name with the unit, and its value for the time of one iteration
/// in one sample.
struct sample_metric {
    std::string label = "time of an iteration (us)"; // name and unit
    /// For the time of an iteration.
    std::function<double(record const&, seconds)> value = [](record const&, seconds t) { return 1e6 * t.count(); };
};

/// The contents of a `size_plot`: the estimators of its curves, and the metric of its samples.
struct size_plot_options {
    std::vector<estimator> estimators{median_estimator()}; // a curve for each
    /// The metric of the violins. An empty label is "one-way time (us)", or of records without several hops "time of an
    /// iteration (us)".
    sample_metric samples{"", [](record const& r, seconds t) { return 1e6 * latency(r, t).count(); }};
};

namespace detail {

std::vector<double> values_of(record const& r, sample_metric const& metric);

/// The `samples_page` of a record, with its name and parameters as the title; empty for a record without times.
std::string sample_page(record const& r, sample_metric const& metric);

/// The point's name and parameters as a part of a file name: `ping_pong-4096`.
std::string point_label(point const& at);

/// The path with the label before its suffix.
std::string labeled_path(std::string const& path, std::string const& label);

struct plot_pages {
    std::vector<std::string> figures;
    std::vector<std::string> samples{}; // one page for each series
};

plot_pages size_plot_pages(std::vector<record> const& records, size_plot_options const& given);

} // namespace detail

/// Reporter: a picture of all samples of each record, drawn by gnuplot. Records without times are left out.
///
///     sample_plot{canvas::tty()}           on the terminal
///     sample_plot{canvas::png("x.png")}    x-ping_pong-4096.png, ..., one file for each record; svg likewise
///     sample_plot{canvas::pdf("x.pdf")}    one page for each record, drawn at the end
///
/// The end is when `finish` is called, or otherwise when the last copy of the reporter is destroyed. gnuplot runs
/// within the call, never during a measurement; while it draws, the other ranks of a job wait in their next collective
/// call. Compute nodes rarely have gnuplot: report by `json_lines`, and draw after the job with `sonde-report`, or call
/// `finish` after the last collective call. The constructor throws std::system_error if gnuplot is not installed or
/// the picture cannot be written, std::runtime_error if gnuplot does not have the terminal. `finish` throws the same if
/// drawing fails; without `finish` the error is printed to stderr.
class sample_plot {
public:
    explicit sample_plot(canvas on, sample_metric metric = {});

    void operator()(record const& r);

    /// Draw the file of many pages, once, after the last record.
    void finish();

private:
    canvas on_;
    sample_metric metric_;
    std::shared_ptr<detail::kept_records> kept_; // for a file of many pages
};

/// Reporter: one picture of all records over the parameter "bytes", drawn by gnuplot at the end, or after the job (see
/// `sample_plot`).
///
///     size_plot{"x.svg"}          latency; bandwidth, if bytes are moved; all samples, if there is one series
///     size_plot{"x.png"}          the same
///     size_plot{"x.pdf"}          the same on pages, with all samples of each series
///     size_plot{canvas::tty()}    the figures as characters
///
/// If all records have the same size, their samples are drawn instead. All records are kept in memory until the end.
/// Throws the exceptions of `sample_plot`, and std::invalid_argument for another suffix. An existing picture stays
/// until the new one is complete.
class size_plot {
public:
    explicit size_plot(std::string file, size_plot_options options = {})
        : size_plot{canvas::for_file(std::move(file)), std::move(options)} {}
    explicit size_plot(canvas const& on, size_plot_options options = {});

    void operator()(record const& r) { kept_->add(r); }
    /// Draw the picture, once, after the last record.
    void finish() { kept_->finish(); }

private:
    std::shared_ptr<detail::kept_records> kept_;
};

} // namespace sonde
