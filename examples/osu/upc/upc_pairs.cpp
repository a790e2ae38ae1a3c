// SPDX-License-Identifier: BSL-1.0
// osu_upc_memput, osu_upc_memget: copies from each thread of the lower half of the threads to a thread of the upper
// half, or from it.
#include "osu/upc/upc_pairs.hpp"

#include "osu/driver/pair_copies.hpp"
#include "osu/upc/upc_driver.hpp"

#include <sonde/pattern.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace osu::upc {

namespace {

/// A program of copies: osu_upc_NAME.
struct pair_program {
    char const* name;
    char const* title;
    osu::direction direction;
};

constexpr pair_program pairs[] = {{"memput", "MEMPUT", direction::put}, {"memget", "MEMGET", direction::get}};

program program_of(pair_program const& row) {
    return {.name = std::string{"osu_upc_"} + row.name,
            .title = std::string{"OSU UPC "} + row.title + " Test",
            .moved_by = upc_library,
            .accepted =
                (common_options | validation_options) - option_set{option_name::percentiles, option_name::graph},
            .needs = ranks::even,
            .style = one_sided_style};
}

/// Copies of `bytes` bytes: a pattern. An iteration is a put and a fence, or a get. A barrier ends a sample.
class copies {
public:
    copies(upc_driver const& of, sonde::pairing pair, osu::direction which, std::size_t bytes)
        : source_{of.source().number()}, target_{of.target().number()}, pair_{pair}, which_{which}, bytes_{bytes} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        if (pair_.role != sonde::role::initiator) return f([] {});
        if (which_ == direction::get)
            return f([this, to = osu_upc_local(target_)] { osu_upc_memget(to, source_, pair_.peer, bytes_); });
        f([this, from = osu_upc_local(source_)] {
            osu_upc_memput(target_, pair_.peer, from, bytes_);
            osu_upc_fence();
        });
    }
    void complete() const { osu_upc_barrier(); }
    sonde::role role() const { return pair_.role; }
    sonde::traffic traffic() const { return {bytes_, 1, 1}; }

private:
    int source_;
    int target_;
    sonde::pairing pair_;
    osu::direction which_;
    std::size_t bytes_;
};

/// Driver of the copies.
class pair_driver : public upc_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    pair_driver(invocation const& from, pair_program const& row) : upc_driver{from, from.options.max_size}, row_{row} {}

    sonde::record measure(point const& at) {
        std::fill(source().local().begin(), source().local().end(), std::byte{'a'});
        std::fill(target().local().begin(), target().local().end(), std::byte{'b'});
        copies pattern{*this, pair_, row_.direction, at.size};
        auto found = run(plan(pair_plan, at.size), pattern, at);
        if (options().check.on)
            found.errors = count_wrong_copies(*this, pattern, at, source().local(), target().local(),
                                              receives(row_.direction, pair_.role));
        return found;
    }

private:
    pair_program const& row_;
    sonde::pairing pair_ = sonde::pair_of(world().rank(), world().size() / 2);
};

} // namespace

std::vector<suite::named_program> pair_programs() {
    return suite::programs_of(pairs,
                              [](pair_program const& row) { return named_copies<pair_driver>(program_of(row), row); });
}

} // namespace osu::upc
