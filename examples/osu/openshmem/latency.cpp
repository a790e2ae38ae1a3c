// SPDX-License-Identifier: BSL-1.0
// osu_oshm_put, osu_oshm_get, osu_oshm_put_nb, osu_oshm_get_nb: one transfer at a time from PE 0 to PE 1.
#include "osu/driver/launch.hpp"
#include "osu/openshmem/pair_driver.hpp"
#include "osu/openshmem/transfers.hpp"
#include "osu/programs.hpp"

#include <memory>

namespace osu::openshmem {

namespace {

constexpr transfer_program latency_programs[] = {{"put", "Put", transfer::put},
                                                 {"get", "Get", transfer::get},
                                                 {"put_nb", "Put_nbi", transfer::put_nbi},
                                                 {"get_nb", "Get", transfer::get_nbi}};

program program_of(transfer_program const& row) {
    return {.name = std::string{"osu_oshm_"} + row.name,
            .title = std::string{"OSU OpenSHMEM "} + row.title + " Test",
            .accepted = pair_options,
            .largest = largest_of_pair,
            .blank_line = false,
            .one_sided = true,
            .moved_by = data_library::openshmem,
            .heap_or_global = true};
}

} // namespace

} // namespace osu::openshmem

int osu::run_oshm_latency(int argc, char** argv, char const* name) {
    using namespace openshmem;
    auto const& row = row_of(latency_programs, name);
    auto const about = program_of(row);
    return launch(argc, argv, about, [&](invocation const& from) {
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
