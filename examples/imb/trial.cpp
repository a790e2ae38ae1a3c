// SPDX-License-Identifier: BSL-1.0
#include "trial.hpp"

#include "demands.hpp"
#include "initial.hpp"

#include <algorithm>
#include <array>

namespace imb {

namespace {

setting setting_of(circumstance const& about, std::size_t bytes, space const& needed,
                   sonde::allocation<sonde::mpi::alloc_mem>& send, sonde::allocation<sonde::mpi::alloc_mem>& receive,
                   std::shared_ptr<void>& kept) {
    return {.group = about.ranks.mine(),
            .asked = about.asked,
            .test = about.test,
            .mode = about.mode,
            .bytes = bytes,
            .most = needed.most,
            .world_rank = about.world.rank(),
            .group_number = about.ranks.number().value(),
            .data = about.data.get(),
            .reduced = about.reduced.get(),
            .sum = about.reduced.sum(),
            .element_bytes = bytes_of(element_of(about.test, about.asked)),
            .spread = with_gaps(about.asked) ? std::size_t{2} : std::size_t{1},
            .send = send,
            .receive = receive,
            .sends = needed.sends,
            .receives = needed.receives,
            .kept = &kept};
}

sonde::seconds slowest(sonde::record const& r) { return r.over_ranks.max; }

bool several_parts(outcome const& found) { return found.overlap || found.work; }

/// By the clocks of the records.
sonde::seconds recorded(outcome const& found) {
    return slowest(found.pure) + (found.overlap ? slowest(*found.overlap) : sonde::seconds{});
}

} // namespace

trial::trial(circumstance const& about, std::size_t bytes, space const& needed, std::shared_ptr<void>& kept)
    : about_{about}, bytes_{bytes}, send_{needed.sends.bytes()}, receive_{needed.receives.bytes()},
      where_{setting_of(about, bytes, needed, send_, receive_, kept)} {
    fill(send_.bytes(), needed.sends, about.ranks.mine().rank(), about.about.io);
    receive_.fill(std::byte{});
}

/// How long a repetition takes: as its record says; where it has several parts, with all that is between them.
sonde::seconds trial::per_repetition(outcome const& found, std::size_t n) const {
    if (!several_parts(found)) return slowest(found.pure);
    std::array wall{lasted_.count()};
    about_.ranks.mine().all_reduce(wall, sonde::reduction::max);
    return sonde::seconds{wall[0]} / static_cast<double>(n);
}

outcome trial::measure(std::size_t n) {
    sonde::mpi::wtime const clock;
    auto const begin = clock.now();
    auto found = does_.measure(n);
    lasted_ = clock.now() - begin;
    return found;
}

std::size_t trial::count_by_time(counts const& by) {
    auto found = measure(1);
    auto const m = std::min(by.tried(bytes_, recorded(found)), where_.most);
    if (m > 1) found = measure(m);
    return std::min(by.within_time(bytes_, per_repetition(found, m)), where_.most);
}

std::size_t trial::estimate(counts const& by) {
    does_ = about_.test.make(where_);
    if (by.estimates()) return count_by_time(by);
    measure(where_.most);
    return where_.most;
}

std::size_t trial::agreed(std::size_t n) const {
    auto const* const all = about_.ranks.all();
    if (all == nullptr || !about_.asked.groups_together) return n;
    std::array least{static_cast<double>(n)};
    all->all_reduce(least, sonde::reduction::min);
    return static_cast<std::size_t>(least[0]);
}

void trial::warm_up(std::size_t n) {
    if (!about_.about.warms_up || !about_.asked.warm_up) return;
    does_.measure(warm_up_count(n));
}

finding trial::report(std::size_t n) {
    if (about_.asked.groups_together) where_.all_groups = about_.ranks.all();
    finding f{n, measure(n), std::nullopt};
    where_.all_groups = nullptr;
    if (about_.asked.check && does_.defects) f.defects = does_.defects();
    return f;
}

} // namespace imb
