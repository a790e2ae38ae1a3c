// SPDX-License-Identifier: BSL-1.0
// Transfers between two PEs, and osu_oshm_put, osu_oshm_get, osu_oshm_put_nb, osu_oshm_get_nb: one transfer at a time
// from PE 0 to PE 1.
#include "osu/openshmem/openshmem_transfers.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"

#include <algorithm>
#include <memory>

namespace osu::openshmem {

namespace {

/// Block i of a region.
sonde::region block(sonde::region all, std::size_t bytes, std::size_t i) { return all.subspan(i * bytes, bytes); }

} // namespace

std::size_t count_wrong_contents(openshmem_driver& on, point const& at, transfer which, transfer_regions const& r,
                                 std::function<void()> const& iterate) {
    auto const my_role = on.pairing().role;
    auto const sends = my_role == (gets(which) ? sonde::role::responder : sonde::role::initiator);
    auto const receives = my_role == (gets(which) ? sonde::role::initiator : sonde::role::responder);
    auto const sent = gets(which) ? r.remote : r.local, received = gets(which) ? r.local : r.remote;
    auto const contents_of = [&](std::size_t round, std::size_t i) {
        return contents{at.type.kind, at.size, round + i};
    };
    auto const write_data = [&](std::size_t round) {
        if (receives) std::fill(received.begin(), received.end(), std::byte{0xff});
        for (std::size_t i = 0; sends && i != r.transfers(); ++i) write(block(sent, r.bytes, i), contents_of(round, i));
    };
    auto const find = [&](std::size_t round) {
        std::vector<wrong_element> all;
        for (std::size_t i = 0; receives && i != r.transfers(); ++i) {
            auto const some = find_wrong(block(received, r.bytes, i), contents_of(round, i));
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    };
    return on.count_wrong(at, iterate, write_data, find);
}

sonde::record measure_transfers(openshmem_driver& on, point const& at, transfer which, transfer_regions const& r,
                                size_plan const& plan) {
    return with_pattern(which, on.pairing(), r, [&](auto pattern) {
        auto found = on.run(plan, pattern, on.point_of(at));
        if (on.options().check.on) found.errors = count_wrong_contents(on, at, which, r, [&pattern] { pattern(); });
        return found;
    });
}

namespace {

constexpr std::size_t pair_alignment = 64; // OMB's

alignas(pair_alignment) std::byte global_sent[largest_of_pair];
alignas(pair_alignment) std::byte global_received[largest_of_pair];

} // namespace

pair_driver::pair_driver(invocation const& from)
    : openshmem_driver{from, heap_bytes(from.options, 2, from.options.max_size, 2 * largest_of_pair)},
      sent_{allocate(global_sent, options().max_size, pair_alignment)},
      received_{allocate(global_received, options().max_size, pair_alignment)} {}

transfer_regions pair_driver::regions(point const& at, transfer which) const {
    auto const sent = sent_.bytes().first(at.size), received = received_.bytes().first(at.size);
    std::fill(sent.begin(), sent.end(), std::byte{'a'});
    std::fill(received.begin(), received.end(), std::byte{'b'});
    if (gets(which)) return {.local = received, .remote = sent, .bytes = at.size};
    return {.local = sent, .remote = received, .bytes = at.size};
}

namespace {

constexpr transfer_program rows_of_latency[] = {{"put", "Put", transfer::put},
                                                {"get", "Get", transfer::get},
                                                {"put_nb", "Put_nbi", transfer::put_nbi},
                                                {"get_nb", "Get", transfer::get_nbi}};

program latency_program(transfer_program const& row) {
    return {.name = std::string{"osu_oshm_"} + row.name,
            .title = std::string{"OSU OpenSHMEM "} + row.title + " Test",
            .moved_by = openshmem_library,
            .accepted = pair_options,
            .largest = largest_of_pair,
            .style = one_sided_style,
            .heap_or_global = true};
}

suite::named_program named_latency(transfer_program const& row) {
    return named(latency_program(row), [&row](invocation const& from) {
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

std::vector<suite::named_program> latency_programs() { return suite::programs_of(rows_of_latency, named_latency); }

} // namespace osu::openshmem
