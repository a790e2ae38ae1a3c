// SPDX-License-Identifier: BSL-1.0
// An iteration of osu_NAME is one blocking call, of osu_NAME_persistent MPI_Start and MPI_Wait, of osu_iNAME a
// nonblocking call, work, and MPI_Wait.
#include "osu/collective/collective_calls.hpp"

#include "osu/collective/collective_driver.hpp"
#include "osu/collective/omb_work.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/mpi/collective.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace osu {

namespace {

/// Callable for `with_operation` that measures an operation in a call mode.
template <template <class, class, class> class Mode>
auto measure_calls(collective_driver& on, point const& at) {
    return [&on, &at]<class Op>(Op const& op) -> result {
        auto const buffers = on.buffers(bytes_of_buffers(op));
        using pattern = Mode<Op, sonde::opaque_slice, sonde::opaque_slice>;
        auto const bind = [&] { return pattern{op, buffers.out_slice(), buffers.in_slice()}; };
        auto found = osu::run(on.world(), on.plan_of(at.size), bind(), on.point_of(at));
        if (on.options().check.compares()) {
            auto unused = bind();
            found.errors = on.count_wrong(at, buffers, [&unused] { unused(); });
        }
        return found;
    };
}

} // namespace

std::vector<suite::named_program> blocking_programs() {
    return collective_programs(call_modes::blocking, [](collective_driver& on, point const& at) {
        return with_any_operation(on.what().operation, on.recipe_of(at), measure_calls<mpi::blocking>(on, at));
    });
}

std::vector<suite::named_program> persistent_programs() {
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    return collective_programs(call_modes::persistent, [](collective_driver& on, point const& at) {
        return with_operation(on.what().operation, on.recipe_of(at), measure_calls<mpi::persistent>(on, at));
    });
#else
    return {};
#endif
}

namespace {

/// Duration of the work of a rank, from the record of the communication alone.
using work_duration = std::function<sonde::seconds(sonde::record const& communication, int rank)>;

/// Synchronization of the runs of a row. With `communication_only`, that of osu_ibarrier in OMB: while it is true,
/// calls follow each other; then a barrier comes before each iteration.
class overlap_sync : public decltype(size_plan::synchronize) {
    using usual_sync = decltype(size_plan::synchronize);

public:
    overlap_sync(usual_sync const& usual, bool const* communication_only)
        : usual_sync{usual}, communication_only_{communication_only} {}

    void operator()(sonde::mpi::group& group, std::size_t i) {
        if (communication_only_ == nullptr) usual_sync::operator()(group, i);
        else if (i == 0 || !*communication_only_) group.barrier();
    }

private:
    bool const* communication_only_;
};

/// Plan of each of the three runs of a row: the communication, the work, and both.
auto plan_of_runs(collective_driver const& on, point const& at, bool const* communication_only) {
    auto plan = plan_of_three_runs(on.plan_of(at.size), on.options());
    if (communication_only != nullptr) plan = plan.batch(1);
    return plan.synchronized(overlap_sync{plan.synchronize, communication_only});
}

sonde::point point_with_work(collective_driver const& on, point const& at, chosen_work const& work) {
    auto with_work = on.point_of(at);
    with_work.parameters.emplace_back("work", work.name());
    return with_work;
}

/// Arguments of `sonde::measure_overlap` but for the communication.
struct overlap_runs {
    decltype(plan_of_runs(std::declval<collective_driver const&>(), std::declval<point const&>(), nullptr)) plan;
    chosen_work work;
    sonde::point at;
    sonde::overlap_timing timing;
    work_duration duration;
};

/// OMB's overlap. The work of a rank lasts as long as the rank's mean time of the communication. `communication_only`
/// is true until the communication alone has been measured.
overlap_runs with_omb_work(collective_driver const& on, point const& at, bool& communication_only) {
    auto work = chosen_work::of_omb(on.options().work_on, on.options().tests);
    auto const barrier_alone = on.what().operation == operation::barrier && !on.options().sync_start;
    auto plan = plan_of_runs(on, at, barrier_alone ? &communication_only : nullptr);
    plan.retention.rank_means = true;
    auto named = point_with_work(on, at, work);
    return {plan, std::move(work), std::move(named), sonde::overlap_timing::phases,
            [&communication_only](sonde::record const& r, int rank) {
                communication_only = false;
                return r.rank_means[static_cast<std::size_t>(rank)];
            }};
}

/// The overlap without the clock readings and the overshoot of OMB's work.
overlap_runs with_calibrated_work(collective_driver const& on, point const& at) {
    auto work = chosen_work::calibrated(on.options().work_on, on.options().tests);
    auto named = point_with_work(on, at, work);
    return {plan_of_runs(on, at, nullptr), std::move(work), std::move(named), sonde::overlap_timing::whole,
            sonde::median_duration{}};
}

/// Callable for `with_any_operation` that measures an operation.
auto measure_overlap_at(collective_driver& on, point const& at) {
    return [&on, &at]<class Op>(Op const& op) -> result {
        auto const buffers = on.buffers(bytes_of_buffers(op));
        using pattern = mpi::nonblocking<Op, sonde::opaque_slice, sonde::opaque_slice>;
        auto const bind = [&] { return pattern{op, buffers.out_slice(), buffers.in_slice()}; };
        auto communication = bind();
        auto const measure = [&](overlap_runs how) {
            return sonde::measure_overlap(on.world(), how.plan, communication, how.work, how.at, how.timing,
                                          how.duration);
        };
        auto communication_only = true;
        auto beside_omb_work = measure(with_omb_work(on, at, communication_only));
        std::optional<sonde::overlap_records> calibrated;
        if (on.options().statistics) calibrated = measure(with_calibrated_work(on, at));
        if (on.options().check.compares()) {
            auto unused = bind();
            beside_omb_work.both.errors = on.count_wrong(at, buffers, [&unused] { unused(); });
        }
        return {std::move(beside_omb_work), std::move(calibrated)};
    };
}

} // namespace

std::vector<suite::named_program> nonblocking_programs() {
    return collective_programs(call_modes::nonblocking, [](collective_driver& on, point const& at) {
        return with_any_operation(on.what().operation, on.recipe_of(at), measure_overlap_at(on, at));
    });
}

} // namespace osu
