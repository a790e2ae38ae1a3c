// SPDX-License-Identifier: BSL-1.0
#include "stage.hpp"

#include "../common/capacity.hpp"
#include "device.hpp"
#include "sweeps.hpp"
#include "validation.hpp"
#include "words.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/sizes.hpp>

#include <unistd.h>

#include <algorithm>
#include <memory>

namespace osu {

namespace {

constexpr auto memory_options = "-m, -W, -t, -i";

/// Where rows go to a file, a terminal shows how far they are.
std::function<void(sonde::record const&)> progress_of(std::size_t points) {
    if (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 0) return {};
    return [shown = std::make_shared<sonde::progress_line<>>(points)](sonde::record const& r) { (*shown)(r); };
}

/// The environment, and which device each rank has, where they were given any. Collective over the group.
sonde::environment environment_of(given const& g) {
    auto found = sonde::mpi::environment_of(g.world, g.argc, g.argv);
    if constexpr (has_cuda())
        if (!device_wish(g.asked).empty())
            boost::mpi::all_gather({g.world.comm(), boost::mpi::comm_attach}, device_in_words(), found.devices);
    return found;
}

} // namespace

stage::stage(given const& g)
    : about_{g.about}, asked_{g.asked}, world_{g.world}, where_{environment_of(g)},
      table_{g.world.rank(), columns_of(g.about, g.asked), g.about.sized, title_suffix(g.about, g.asked)},
      command_{g.argv[0]} {
    together(world_, [&] { layout_.emplace(asked_.data); });
    if (asked_.sync_start == start::window)
        clock_ = std::make_unique<global_start>(sonde::mpi::synchronized_start(world_, sonde::mpi::wtime{}));
    if (asked_.cache == sonde::cache::flush)
        take_memory(2.0 * static_cast<double>(sonde::last_level_cache()),
                    [&] { evict_ = std::make_unique<sonde::eviction>(); });
}

row_plan stage::plan(program const& counted, std::size_t size, start usual, int senders) const {
    constexpr std::size_t largest_small = 8192;
    auto const& counts = size > largest_small ? counted.counted.large : counted.counted.small;
    auto const each = evict_ != nullptr && usual == start::one_barrier; // or ranks would wait in samples for flushes
    auto const shares = static_cast<std::size_t>(senders);
    auto const how = asked_.sync_start.value_or(each ? start::barrier : usual);
    auto const made = sonde::plan<>{}
                          .timed_by(sonde::mpi::wtime{})
                          .warmup((asked_.warmup.value_or(counts.warmup) + shares - 1) / shares)
                          .until(rule_of(asked_, counts.iterations, shares))
                          .synchronized(sonde::flushed_sync{asked_sync{how, clock_.get()}, evict_.get()});
    if (!asked_.until) return made;
    auto const warmed = asked_.warmup ? made : made.warmup(sonde::until_stable{.max_time = sonde::seconds{0.005}});
    auto const apart = how != start::none && how != start::one_barrier;
    return apart || !asked_.percentiles.empty() ? warmed : warmed.batch(sonde::by_timer);
}

double stage::bytes_of_times() const {
    auto const most = sonde::keep_options::default_samples;
    auto const usual = asked_.until || asked_.budget ? most : 0;
    return 64 * static_cast<double>(std::min(most, asked_.iterations.value_or(usual)));
}

void stage::take_memory(double bytes, std::function<void()> const& take) {
    common::require_memory(world_, bytes, memory_options);
    common::allocate(world_, memory_options, take);
}

void stage::open_reports() {
    together(world_, [&] {
        if (world_.rank() != 0) return;
        if (asked_.check.log) require_log(*asked_.check.log);
        reports_ = osu::open_reports(about_, asked_, where_);
        progress_ = progress_of(points());
    });
}

std::vector<std::size_t> stage::sizes(datatype const& type) const {
    if (!about_.sized) return {0};
    if (about_.one_element) return {type.bytes};
    std::vector<std::size_t> all;
    for (auto const size : sonde::sizes(asked_.min_size, asked_.max_size))
        if (size >= type.bytes || (about_.nccl && size == 0)) all.push_back(size);
    return all;
}

std::size_t stage::points() const {
    std::size_t all = 0;
    for (auto const& type : types()) all += sizes(type).size() * (asked_.vary_window ? varied_windows.size() : 1);
    return all;
}

bool stage::keep(std::size_t size, finding const& found) {
    if (asked_.honest &&
        found.record.slowest_counts.size() == where_.host_of_rank.size()) // threads are not in that list
        asymmetry_.add(found.record);
    if (!reports_.empty())
        for (auto const& r : found.records())
            for (auto const& report : reports_) report(r);
    if (progress_) progress_(found.record);
    auto const wrong = found.record.errors.value_or(0) != 0;
    if (wrong) failed_ = size;
    return !wrong;
}

void stage::finish_reports() {
    together(world_, [&] {
        for (auto const& report : reports_) report.finish();
    });
}

int stage::status() {
    for (auto const& line : asymmetry_.lines(where_)) table_.line(line);
    if (!failed_) return 0;
    table_.line("DATA VALIDATION ERROR: " + command_ + " exited with status 1 on message size " +
                std::to_string(*failed_) + ".");
    return 1;
}

} // namespace osu
