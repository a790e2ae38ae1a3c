// SPDX-License-Identifier: BSL-1.0
#include "../asked_rule.hpp"
#include "chosen_work.hpp"
#include "forms.hpp"
#include "run.hpp"
#include "sweep.hpp"

#include <sonde/overlap.hpp>

#include <optional>
#include <type_traits>

namespace osu {

namespace {

/// Barriers follow each other while they are alone, as in OMB; beside work a barrier comes before each.
struct barrier_beside_work {
    bool const* alone;
    void operator()(auto& group, std::size_t i) const {
        if (i == 0 || !*alone) group.barrier();
    }
};

sonde::point with_work(sonde::point at, char const* work) {
    at.parameters.emplace_back("work", work);
    return at;
}

/// The plan of each of a row's three runs (alone, the work, both), which share the usual budget of `--until`.
template <sonde::mpi::CollectiveOperation K>
row_plan plan_of_three(collective_stage const& on, K const& kind, std::size_t size) {
    auto const plan = plan_for(on, kind, size);
    auto asked = on.asked();
    if (!asked.until || asked.budget) return plan;
    asked.budget = usual_budget / 3;
    return plan.until(rule_of(asked, 1));
}

/// Alone, and beside work that lasts as long: OMB's, which every rank does for as long as its own mean was.
template <sonde::mpi::CollectiveOperation K, sonde::NonblockingOperation S>
sonde::overlap_records beside_suites(collective_stage& on, K const& kind, S& split, spot const& at) {
    auto work = chosen_work::of_suite(on.asked().work_on, on.asked().tests);
    auto alone = true;
    auto const own_mean = [&alone](sonde::record const& r, int rank) {
        alone = false;
        return r.rank_means[static_cast<std::size_t>(rank)];
    };
    auto plan = plan_of_three(on, kind, at.size);
    plan.retention.rank_means = true;
    auto const measured = [&](auto const& p) {
        return sonde::measure_overlap(on.world(), p, split, work, with_work(on.point(at), work.name()),
                                      sonde::overlap_timing::phases, own_mean);
    };
    if constexpr (std::is_same_v<K, sonde::mpi::barrier>)
        if (!on.asked().sync_start) return measured(plan.batch(1).synchronized(barrier_beside_work{&alone}));
    return measured(plan);
}

/// What is hidden, without OMB's clock readings and its work's overshoot.
template <sonde::mpi::CollectiveOperation K, sonde::NonblockingOperation S>
sonde::overlap_records beside_calibrated(collective_stage& on, K const& kind, S& split, spot const& at) {
    auto work = chosen_work::calibrated(on.asked().work_on, on.asked().tests);
    return sonde::measure_overlap(on.world(), plan_of_three(on, kind, at.size), split, work,
                                  with_work(on.point(at), work.name()));
}

struct beside_work {
    static constexpr char letter = 'n';

    template <sonde::mpi::CollectiveOperation K>
    static finding measure(collective_stage& on, K const& kind, collective_stage::places const& here, spot const& at) {
        auto const made = [&] {
            return sonde::mpi::nonblocking{kind, sonde::opaque_slice{here.out}, sonde::opaque_slice{here.in}};
        };
        auto split = made();
        auto found = beside_suites(on, kind, split, at);
        std::optional<sonde::overlap_records> hidden;
        if (on.asked().honest) hidden = beside_calibrated(on, kind, split, at);
        if (on.asked().check.on) found.both.errors = check_contents(on, kind, made(), here, at);
        return {std::move(found), std::move(hidden)};
    }
};

} // namespace

int run_nonblocking(int argc, char** argv, char const* name) {
    return launch(argc, argv, family::nonblocking, find_row<beside_work>(name));
}

} // namespace osu
