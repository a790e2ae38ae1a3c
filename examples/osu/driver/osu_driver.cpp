// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_driver.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/library/library.hpp"
#include "suite/devices.hpp"
#include "suite/hosts.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/report/progress.hpp>

#include <unistd.h>

#include <algorithm>

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
    : about_{from.about}, options_{from.options}, world_{from.world},
      environment_{suite::environment_of(from.world, from.argc, from.argv, from.options.reports,
                                         !device_request(from.options).empty())},
      table_{from.world.rank(), columns_of(from.about, from.options), leading_column_of(from.about),
             title_suffix(from.about, from.options)},
      command_{from.argv[0]} {
    together(world_, [&] { layout_.emplace(options_.data); });
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
        progress_ = progress_of(number_of_points());
    });
}

std::vector<std::size_t> driver::sizes(datatype const& type) const {
    if (about_.rows == rows::one || about_.rows == rows::operations) return {0};
    if (about_.rows == rows::one_element) return {type.bytes};
    std::vector<std::size_t> all;
    for (auto const size : sonde::sizes(options_.min_size, options_.max_size))
        if (size >= type.bytes || (size == 0 && about_.moved_by.empty_messages)) all.push_back(size);
    return all;
}

std::size_t driver::number_of_points() const {
    if (about_.rows == rows::operations) return about_.operations;
    std::size_t all = 0;
    for (auto const& type : types()) all += sizes(type).size() * (options_.vary_window ? varied_windows.size() : 1);
    return all;
}

void driver::each_size(datatype const& type, std::function<bool(point const&)> const& measure) const {
    auto const window = is_rate(about_.shows) ? options_.window : 1;
    for (auto const size : sizes(type)) {
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

bool driver::record(point const& at, result const& found) {
    if (options_.honest &&
        found.record.slowest_counts.size() == environment_.host_of_rank.size()) // threads are not in that list
        asymmetry_.add(found.record);
    reports_.add(found);
    if (progress_) progress_(found.record);
    auto const wrong = found.record.errors.value_or(0) != 0;
    if (wrong) failed_size_ = at.size;
    return !wrong;
}

void driver::finish_reports() {
    together(world_, [&] { reports_.finish(); });
}

int driver::status() {
    for (auto const& line : asymmetry_.lines(environment_)) table_.line(line);
    if (!failed_size_) return 0;
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
    if (is_rate(about.shows)) found.parameters.emplace_back("window", at.window);
    found.parameters.emplace_back("buffers", asked.buffers_apart ? "multiple" : "single");
    add_placement(found, about, asked, asked.placement.value_or(buffer_placement{}));
    if (asked.cache) found.parameters.push_back(cache_parameter(*asked.cache));
    if (asked.message != payload::bytes) found.parameters.emplace_back("payload", name(asked.message));
    if (asked.data.kind != layout::plain) found.parameters.emplace_back("transmitted", at.message.transmitted);
    return found;
}

} // namespace osu
