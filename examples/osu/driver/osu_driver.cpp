// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_driver.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/library.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_option_table.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/driver/osu_table.hpp"
#include "suite/agreement.hpp"
#include "suite/devices.hpp"
#include "suite/hosts.hpp"

#include <sonde/drawing/plot.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/table.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace osu {

namespace {

/// A line of progress on stderr if that is a terminal and the rows go to a file.
std::function<void(sonde::record const&)> progress_of(std::size_t points) {
    if (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 0) return {};
    return [shown = std::make_shared<sonde::progress_line<>>(points)](sonde::record const& r) { (*shown)(r); };
}

leading_column leading_column_of(program const& about) {
    if (about.rows == rows::operations) return {"# Operation", 20};
    return about.rows == rows::one ? leading_column{"", 0} : leading_column{};
}

} // namespace

driver::driver(invocation const& from)
    : about_{from.about}, options_{from.options}, world_{from.world}, beside_{from.beside},
      environment_{suite::environment_of(from.world, from.argc, from.argv, from.options.reports,
                                         !device_request(from.options).empty())},
      table_{from.world.rank(), columns_of(from.about, from.options), leading_column_of(from.about),
             title_suffix(from.about, from.options)},
      transport_{std::make_unique<suite::transport_note>(from.options.witness, from.options.expected_device)},
      command_{from.argv[0]} {
    together(world_, [&] { layout_.emplace(options_.data); });
    if (options_.check.bits) bits_.emplace(world_.rank());
    if (options_.sync_start == start::window)
        clock_ = std::make_unique<global_start>(sonde::synchronized_start{world_, sonde::mpi::wtime{}});
    if (options_.cache == sonde::cache::flush)
        take_memory(2.0 * static_cast<double>(sonde::last_level_cache()),
                    [&] { evict_ = std::make_unique<sonde::eviction>(); });
}

double driver::bytes_of_times() const {
    auto const most = sonde::keep_options::default_samples;
    auto const usual = options_.until || options_.budget ? most : 0;
    return 64 * static_cast<double>(std::min(most, options_.iterations.value_or(usual)));
}

void driver::take_memory(double bytes, std::function<void()> const& take) {
    constexpr auto memory_options = "-m, -W, -t, -i";
    suite::require_memory(world_, bytes, memory_options);
    suite::allocate(world_, memory_options, take);
}

void driver::open_reports() {
    together(world_, [&] {
        if (world_.rank() != 0) return;
        if (options_.check.log) require_log(*options_.check.log);
        reports_ = osu::open_reports(about_, options_, environment_);
        progress_ = progress_of(number_of_points(about_, options_));
    });
}

void driver::each_size(datatype const& type, std::function<bool(point const&)> const& measure) const {
    auto const window = is_rate(about_.shows) ? options_.window : 1;
    for (auto const size : sizes_of(about_, options_, type)) {
        auto const message = layout_->describe(type, size);
        if (!measure({type, size, window, 1, message})) return;
    }
}

void driver::each_point(std::function<bool(point const&)> const& measure) {
    for (auto const& type : types()) {
        begin_table(type);
        each_size(type, measure);
    }
}

void driver::begin_table(datatype const& type) {
    if (about_.rows != rows::one && about_.moved_by.shows_datatype) table_.datatype(type.name);
    table_.titles();
}

sonde::point driver::sampled_point(point const& at) const {
    sonde::point found;
    if (about_.rows != rows::sizes && about_.rows != rows::one_element) return found;
    found.parameters.emplace_back("bytes", at.size);
    if (options_.types.size() > 1) found.parameters.emplace_back("datatype", at.type.name);
    if (options_.vary_window) found.parameters.emplace_back("window", at.window);
    return found;
}

bool driver::record(point const& at, result const& found) {
    auto const& counts = found.record.slowest_counts;
    auto const ranks = environment_.host_of_rank.size(); // threads have a count each, which are more
    if (options_.statistics && counts && counts->size() == ranks) asymmetry_.add(found.record);
    transport_->add(found.record);
    reports_.add(found, sampled_point(at));
    if (progress_) progress_(found.record);
    if (bits_)
        for (auto const& text : bits_->texts(world_)) table_.line("# " + text);
    auto const wrong = found.record.errors.value_or(0) != 0;
    if (wrong) failed_size_ = at.size;
    return !wrong || bits_; // more wrong bits tell where they come from
}

void driver::finish_reports() {
    together(world_, [&] { reports_.finish(); });
}

int driver::status() {
    for (auto const& line : asymmetry_.lines(environment_)) table_.line(line);
    if (bits_) table_.line(bits_->summary(world_, environment_.host_of_rank, environment_.hosts));
    for (auto const& line : transport_->lines()) table_.line(line);
    auto const complaint = transport_->complaint(world_);
    if (!complaint.empty()) table_.line("UNEXPECTED DEVICE: " + complaint);
    if (!failed_size_) return complaint.empty() ? 0 : 1;
    table_.line("DATA VALIDATION ERROR: " + command_ + " exited with status 1 on message size " +
                std::to_string(*failed_size_) + ".");
    return 1;
}

void add_placement(sonde::point& at, program const& about, options const& asked, buffer_placement where) {
    if (!about.takes(option_name::accelerator) || (!asked.placement && !asked.on)) return;
    at.parameters.emplace_back("from", place_name(about, where.source));
    at.parameters.emplace_back("to", place_name(about, where.destination));
    if (about.takes(option_name::staged)) at.parameters.emplace_back("staged", asked.staged ? "yes" : "no");
}

sonde::point point_of(program const& about, options const& asked, point const& at) {
    sonde::point found{about.name, {{"bytes", at.size}, {"datatype", at.type.name}}};
    auto const in_partitions = about.takes(option_name::partitions);
    if (in_partitions) found.parameters.emplace_back("partitions", asked.partitions);
    else if (is_rate(about.shows)) found.parameters.emplace_back("window", at.window);
    found.parameters.emplace_back("buffers", asked.buffers_apart ? "multiple" : "single");
    add_placement(found, about, asked, asked.placement.value_or(buffer_placement{}));
    if (asked.cache) found.parameters.push_back(cache_parameter(*asked.cache));
    if (asked.message != payload::bytes) found.parameters.emplace_back("payload", name(asked.message));
    if (asked.data.kind != layout::plain) found.parameters.emplace_back("transmitted", at.message.transmitted);
    return found;
}

namespace {

/// Columns or rows of a terminal: the first of two environment variables with a number from 10 to 10,000.
int terminal_size(char const* omb_variable, char const* slurm_variable, int otherwise) {
    for (auto const* const name : {omb_variable, slurm_variable})
        if (auto const* const text = std::getenv(name))
            if (auto const value = number<int>(text, 10, 10'000)) return *value;
    return otherwise;
}

sonde::canvas canvas_of(std::string const& graph, std::string const& name) {
    if (graph == "png") return sonde::canvas::png(name + ".png");
    if (graph == "pdf") return sonde::canvas::pdf(name + ".pdf");
    return sonde::canvas::tty(terminal_size("OMB_COL_SIZE", "SLURM_PTY_WIN_COL", 120),
                              terminal_size("OMB_ROW_SIZE", "SLURM_PTY_WIN_ROW", 40));
}

/// The value of a row, for each sample.
sonde::sample_metric metric_of(program const& about) {
    return {is_rate(about.shows) ? "bandwidth (MB/s)" : "latency (us)",
            [as = about.shows](sonde::record const& r, sonde::seconds t) { return shown(as, r, t); }};
}

/// Plots of the samples of every size, NAME-SIZE.png.
reporter open_sample_plots(program const& about, std::string const& graph) {
    sonde::sample_plot draw{canvas_of(graph, about.name), metric_of(about)};
    return {draw, [draw]() mutable { draw.finish(); }};
}

/// One plot of all sizes, NAME-sizes.png, drawn when the run ends.
reporter open_size_plot(program const& about, std::string const& graph) {
    sonde::size_plot_options const options{.samples = metric_of(about)};
    auto const on =
        graph == "tty" ? canvas_of(graph, about.name) : sonde::canvas::for_file(about.name + "-sizes." + graph);
    sonde::size_plot draw{on, options};
    return {draw, [draw]() mutable { draw.finish(); }};
}

} // namespace

void row_reports::add(result const& row, sonde::point const& sampled) const {
    if (!of_records.empty())
        for (auto const& r : row.records())
            for (auto const& report : of_records) report(r);
    for (auto const& report : of_values) report(row.record);
    if (of_samples.empty()) return;
    auto named = row.record;
    named.point = sampled;
    for (auto const& report : of_samples) report(named);
}

void row_reports::finish() const {
    for (auto const* const reports : {&of_records, &of_values, &of_samples})
        for (auto const& report : *reports) report.finish();
}

row_reports open_reports(program const& about, options const& asked, sonde::environment const& where) {
    row_reports all;
    for (auto const& r : asked.reports) all.of_records.push_back(suite::open_report("--report", r, where));
    auto const sizes = about.rows == rows::sizes && asked.min_size < asked.max_size;
    for (auto const& g : asked.graphs) {
        all.of_samples.push_back(suite::opened("-G " + g, [&] { return open_sample_plots(about, g); }));
        if (sizes) all.of_values.push_back(suite::opened("-G " + g, [&] { return open_size_plot(about, g); }));
    }
    return all;
}

void asymmetry_note::add(sonde::record const& row) {
    ++rows_;
    of_rank_.resize(row.slowest_counts->size());
    for (std::size_t i = 0; i != row.stragglers.size(); ++i) {
        auto& rank = of_rank_[static_cast<std::size_t>(row.stragglers[i])];
        ++rank.count;
        rank.least_lag = std::min(rank.least_lag, row.straggler_lags[i].share);
    }
}

std::vector<std::string> asymmetry_note::lines(sonde::environment const& where) const {
    std::vector<std::string> all;
    for (std::size_t rank = 0; rank != of_rank_.size(); ++rank) {
        auto const [rows, lag] = of_rank_[rank];
        if (rows < 3 || 2 * rows < rows_) continue;
        auto const& host = where.hosts.at(static_cast<std::size_t>(where.host_of_rank.at(rank)));
        all.push_back("# Asymmetric: rank " + std::to_string(rank) + " on " + host + " finished last in " +
                      std::to_string(rows) + " of " + std::to_string(rows_) + " rows, at least " +
                      sonde::detail::percent_text(lag) + " after the median rank");
    }
    return all;
}

} // namespace osu
