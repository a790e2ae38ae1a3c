// SPDX-License-Identifier: BSL-1.0
// osu_upcxx_async_copy_put, osu_upcxx_async_copy_get: copies from each rank of the lower half of the ranks to a rank of
// the upper half, or from it, which are completed together.
#include "osu/upcxx/upcxx_copies.hpp"

#include "osu/driver/pair_copies.hpp"
#include "osu/upcxx/upcxx_driver.hpp"

#include <sonde/pattern.hpp>
#include <sonde/upcxx/transfers.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace osu::upcxx {

namespace {

/// One program of copies: osu_upcxx_async_copy_NAME.
struct copy_program {
    char const* name;
    char const* title;
    osu::direction direction;
};

constexpr copy_program copies[] = {{"put", "Put", direction::put}, {"get", "Get", direction::get}};

program program_of(copy_program const& row) {
    return {.name = std::string{"osu_upcxx_async_copy_"} + row.name,
            .title = std::string{"OSU UPC++ Async Copy ("} + row.title + ") Test",
            .moved_by = upcxx_library,
            .accepted =
                (common_options | validation_options) - option_set{option_name::percentiles, option_name::graph},
            .needs = ranks::even,
            .style = one_sided_style};
}

/// Copies of one block: a pattern. An iteration begins one copy. The end of a sample waits for its copies and for all
/// ranks, in OMB's order: after gets, the barrier comes first.
template <class Transfer>
class async_copies {
public:
    async_copies(sonde::upcxx::group const& ranks, sonde::pairing pair, osu::direction which, Transfer transfer,
                 sonde::upcxx::operation completion)
        : ranks_{&ranks}, role_{pair.role}, which_{which}, transfer_{transfer}, completion_{completion} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        if (role_ == sonde::role::initiator) f([this] { transfer_(0); });
        else f([] {});
    }
    void complete() {
        if (which_ == direction::get) ranks_->barrier();
        completion_.wait();
        if (which_ == direction::put) ranks_->barrier();
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return transfer_.traffic(); }

private:
    sonde::upcxx::group const* ranks_;
    sonde::role role_;
    osu::direction which_;
    Transfer transfer_;
    sonde::upcxx::operation completion_;
};

/// Driver of the copies: a block to copy from and a block to copy into on each rank.
class copy_driver : public upcxx_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    copy_driver(invocation const& from, copy_program const& row)
        : upcxx_driver{from, 2.0 * static_cast<double>(from.options.max_size)}, row_{row},
          source_{allocate(options().max_size)}, target_{allocate(options().max_size)},
          there_{sonde::upcxx::global_regions(ranks(), puts() ? target_.bytes() : source_.bytes())} {}

    sonde::record measure(point const& at) {
        auto const n = at.size;
        auto const peer =
            pair_.peer < 0 ? sonde::upcxx::global_region{} : there_[static_cast<std::size_t>(pair_.peer)].first(n);
        std::fill(source_.bytes().begin(), source_.bytes().end(), std::byte{'a'});
        std::fill(target_.bytes().begin(), target_.bytes().end(), std::byte{'b'});
        sonde::upcxx::operation const done{under_way_};
        if (puts()) return measure(at, sonde::upcxx::rput{peer, source_.bytes().first(n), n, done});
        return measure(at, sonde::upcxx::rget{peer, target_.bytes().first(n), n, done});
    }

private:
    bool puts() const { return row_.direction == direction::put; }
    template <class Transfer>
    sonde::record measure(point const& at, Transfer transfer) {
        async_copies pattern{ranks(), pair_, row_.direction, transfer, sonde::upcxx::operation{under_way_}};
        auto found = run(plan(pair_plan, at.size), pattern, at);
        if (options().check.on)
            found.errors = count_wrong_copies(*this, pattern, at, source_.bytes(), target_.bytes(),
                                              receives(row_.direction, pair_.role));
        return found;
    }
    copy_program const& row_;
    sonde::pairing pair_ = sonde::pair_of(world().rank(), world().size() / 2);
    sonde::upcxx::shared_allocation source_;
    sonde::upcxx::shared_allocation target_;
    std::vector<sonde::upcxx::global_region> there_;
    sonde::upcxx::pending under_way_;
};

} // namespace

std::vector<suite::named_program> copy_programs() {
    return suite::programs_of(copies,
                              [](copy_program const& row) { return named_copies<copy_driver>(program_of(row), row); });
}

} // namespace osu::upcxx
