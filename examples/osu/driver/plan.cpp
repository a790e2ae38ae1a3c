// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/plan.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/buffers.hpp"
#include "osu/driver/osu_program.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/stop/precision.hpp>

namespace osu {

void rank_sync::operator()(sonde::mpi::group& group, std::size_t i) {
    switch (kind_) {
    case start::none:
        return;
    case start::one_barrier:
        return sonde::barrier_once{}(group, i);
    case start::barrier:
        return sonde::barrier_each{}(group, i);
    case start::dissemination:
        return sonde::dissemination_barrier{}(group, i);
    case start::window:
        return (*clock_)(group, i);
    }
}

namespace {

/// The limit by `--until` and `--budget`; `count` if neither is given. The interval of `--until` needs six samples.
sonde::any_rule limit_of(options const& asked, sonde::samples count) {
    if (asked.until)
        return sonde::samples{6} && sonde::relative_error{*asked.until}.within(asked.budget.value_or(default_budget));
    if (asked.budget) return sonde::time_budget{*asked.budget};
    return count;
}

/// An equal part of `n`, rounded up.
std::size_t part_of(std::size_t n, std::size_t senders) { return (n + senders - 1) / senders; }

/// Iterations of a sample of a loop that OMB times as a whole; otherwise 1.
std::size_t batch_of(sweep_plan const& sweep, std::size_t iterations, options const& asked) {
    auto const ends_early = asked.until || asked.budget;
    if (sweep.samples == 0 || ends_early || !asked.percentiles.empty() || asked.sync_start == start::barrier) return 1;
    return iterations % sweep.samples == 0 ? iterations / sweep.samples : 1;
}

} // namespace

template sonde::record run(sonde::mpi::group& group, size_plan const& plan,
                           sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at);

sonde::any_rule rule_of(options const& asked, std::size_t iterations, std::size_t senders) {
    sonde::samples const count{part_of(asked.iterations.value_or(iterations), senders)};
    if (!asked.iterations || (!asked.until && !asked.budget)) return limit_of(asked, count);
    return count || limit_of(asked, count);
}

size_plan plan_of(sweep_plan const& sweep, std::size_t size, options const& asked, global_start* clock,
                  sonde::eviction* evict) {
    auto const [iterations, warmup] = sweep.of(size);
    auto const senders = static_cast<std::size_t>(sweep.senders);
    // Caches are flushed before each iteration: without a barrier the samples would contain waits for other flushes.
    auto const flushes = evict != nullptr && sweep.synchronize == before_each_size;
    auto const kind = asked.sync_start.value_or(flushes ? before_each_iteration : sweep.synchronize);
    auto const batch = batch_of(sweep, asked.iterations.value_or(iterations), asked);
    auto const plan = sonde::plan<>{}
                          .timed_by(sonde::mpi::wtime{})
                          .warmup(part_of(asked.warmup.value_or(warmup), senders))
                          .batch(batch)
                          .until(batch == 1 ? rule_of(asked, iterations, senders)
                                            : sonde::samples{asked.iterations.value_or(iterations) / batch})
                          .keep(suite::kept_for(asked.reports))
                          .synchronized(sonde::flushed_sync{rank_sync{kind, clock}, evict});
    if (!asked.until) return plan;
    auto const warmed = asked.warmup ? plan : plan.warmup(sonde::until_stable{.max_time = sonde::seconds{0.005}});
    auto const each_iteration = kind != start::none && kind != before_each_size;
    return each_iteration || !asked.percentiles.empty() ? warmed : warmed.batch(sonde::by_timer);
}

size_plan plan_of_three_runs(size_plan const& plan, options const& asked) {
    if (!asked.until || asked.budget) return plan;
    auto third = asked;
    third.budget = default_budget / 3;
    return plan.until(rule_of(third, 1));
}

namespace {

void refuse(std::string const& why, std::string const& what, std::string const& accepted) {
    throw refusal{why + " [--cache " + what + "]; accepted: " + accepted};
}

void require_fitting_flush(options const& asked, program const& about) {
    if (asked.sync_start == start::none)
        refuse("Ranks that do not wait would flush caches while others measure", "flushed --sync none",
               "another --sync");
    if (is_rate(about.shows) && !asked.buffers_apart)
        refuse("In one buffer, only the first message of a window is cold", "flushed -b single", "-b multiple");
}

} // namespace

void require_fitting_cache(options const& asked, program const& about) {
    if (!asked.cache) return;
    auto const word = cache_parameter(*asked.cache).text;
    if (auto const device = device_request(asked); !device.empty())
        refuse("Caches are the host's", word + " " + device, "H H");
    if (asked.cache == sonde::cache::rotate && asked.check.compares())
        refuse("Contents of buffers that rotate are not checked", word + (asked.check.bits ? " --check-bits" : " -c"),
               "one of the two");
    if (asked.cache == sonde::cache::flush) require_fitting_flush(asked, about);
}

} // namespace osu
