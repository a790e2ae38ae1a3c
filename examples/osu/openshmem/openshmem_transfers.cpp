// SPDX-License-Identifier: BSL-1.0
#include "osu/openshmem/openshmem_transfers.hpp"

#include <algorithm>

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

} // namespace osu::openshmem
