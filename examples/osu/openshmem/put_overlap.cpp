// SPDX-License-Identifier: BSL-1.0
// osu_oshm_put_overlap: work between a non-blocking put and shmem_quiet.
#include "osu/openshmem/put_overlap.hpp"

#include "osu/collective/omb_work.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/openshmem/openshmem_transfers.hpp"

#include <sonde/measure/overlap.hpp>

#include <functional>
#include <memory>
#include <optional>

namespace osu::openshmem {

namespace {

/// A put from PE 0 to PE 1, without work shmem_putmem, with work shmem_putmem_nbi; shmem_quiet completes both: a
/// sonde::NonblockingOperation.
class put_operation {
public:
    put_operation(sonde::pairing pair, transfer_regions const& r)
        : role_{pair.role}, blocking_{pair.peer, r.remote, r.local, r.bytes},
          nonblocking_{pair.peer, r.remote, r.local, r.bytes} {}

    void start() {
        if (role_ == sonde::role::initiator) nonblocking_(0);
    }
    bool test() const { return false; } // OpenSHMEM has no test
    void wait() {
        if (role_ == sonde::role::initiator) complete_.close(sonde::origin_side{});
    }
    void operator()() {
        if (role_ == sonde::role::initiator) blocking_(0);
        wait();
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return blocking_.traffic(); }

private:
    sonde::role role_;
    shmem::put<> blocking_;
    shmem::put_nbi<> nonblocking_;
    shmem::quiet<> complete_{};
};

constexpr sweep_plan overlap_plan{
    .iterations = 10'000, .warmup = 1'000, .large = {100, 0}, .synchronize = before_each_size};

/// The overlap of a put with work whose duration follows from the put alone.
sonde::overlap_records measure(pair_driver& on, point const& at, put_operation& put, chosen_work work,
                               sonde::overlap_timing timing,
                               std::function<sonde::seconds(sonde::record const&, int)> const& duration) {
    auto const plan = plan_of_three_runs(on.plan(overlap_plan, at.size), on.options()).keep({.rank_means = true});
    auto named = on.point_of(at);
    named.parameters.emplace_back("work", work.name());
    return sonde::measure_overlap(on.pes(), plan, put, work, named, timing, duration);
}

result measure(pair_driver& on, point const& at) {
    auto const regions = on.regions(at, transfer::put);
    put_operation put{on.pairing(), regions};
    auto const own_mean = [](sonde::record const& r, int rank) { return r.rank_means[static_cast<std::size_t>(rank)]; };
    auto beside_work =
        measure(on, at, put, chosen_work::of_omb(work_place::cpu, 0), sonde::overlap_timing::phases, own_mean);
    std::optional<sonde::overlap_records> beside_spin;
    if (on.options().statistics)
        beside_spin = measure(on, at, put, chosen_work::calibrated(work_place::cpu, 0), sonde::overlap_timing::whole,
                              sonde::median_duration{});
    if (on.options().check.on)
        beside_work.both.errors = count_wrong_contents(on, at, transfer::put_nbi, regions, [&put] {
            put.start();
            put.wait();
        });
    return {std::move(beside_work), std::move(beside_spin)};
}

} // namespace

suite::named_program put_overlap_program() {
    program about{.name = "osu_oshm_put_overlap",
                  .title = "OSU OpenSHMEM Put_nbi Test",
                  .moved_by = openshmem_library,
                  .accepted = pair_options - option_set{option_name::percentiles, option_name::graph},
                  .shows = metric::put_overlap,
                  .largest = largest_of_pair,
                  .style = one_sided_style,
                  .heap_or_global = true};
    return named(std::move(about), [](invocation const& from) {
        auto const on = std::make_shared<pair_driver>(from);
        return prepared_run{on, "", [on] {
                                on->table().line("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n");
                                on->each_point([&](point const& at) { return on->report(at, measure(*on, at)); });
                            }};
    });
}

} // namespace osu::openshmem
