// SPDX-License-Identifier: BSL-1.0
// osu_oshm_put, osu_oshm_get, osu_oshm_put_nb, osu_oshm_get_nb: one transfer at a time from PE 0 to PE 1.
#include "osu/driver/osu_launch.hpp"
#include "osu/openshmem/openshmem_transfers.hpp"
#include "osu/openshmem/pair_driver.hpp"

#include <memory>

namespace osu::openshmem {

namespace {

constexpr transfer_program rows_of_latency[] = {{"put", "Put", transfer::put},
                                                {"get", "Get", transfer::get},
                                                {"put_nb", "Put_nbi", transfer::put_nbi},
                                                {"get_nb", "Get", transfer::get_nbi}};

program program_of(transfer_program const& row) {
    return {.name = std::string{"osu_oshm_"} + row.name,
            .title = std::string{"OSU OpenSHMEM "} + row.title + " Test",
            .moved_by = openshmem_library,
            .accepted = pair_options,
            .largest = largest_of_pair,
            .style = one_sided_style,
            .heap_or_global = true};
}

suite::named_program program_with(transfer_program const& row) {
    return named(program_of(row), [&row](invocation const& from) {
        auto const on = std::make_shared<pair_driver>(from);
        return prepared_run{on, "", [&row, on] {
                                on->each_point([&](point const& at) {
                                    return on->report(at,
                                                      measure_transfers(*on, at, row.which, on->regions(at, row.which),
                                                                        on->plan(pair_plan, at.size)));
                                });
                            }};
    });
}

} // namespace

std::vector<suite::named_program> latency_programs() {
    std::vector<suite::named_program> all;
    for (auto const& row : rows_of_latency) all.push_back(program_with(row));
    return all;
}

} // namespace osu::openshmem
