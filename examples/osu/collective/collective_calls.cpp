// SPDX-License-Identifier: BSL-1.0
// osu_NAME and osu_NAME_persistent: one blocking call, or MPI_Start and MPI_Wait, in each iteration.
#include "osu/collective/collective_driver.hpp"

#include <sonde/mpi/collective.hpp>

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
        if (on.options().check.on) {
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

} // namespace osu
