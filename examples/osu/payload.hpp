// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "asked_cache.hpp"
#include "buffers.hpp"
#include "datatypes.hpp"
#include "options.hpp"
#include "point.hpp"
#include "validation.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <vector>

namespace osu {

/// What one rank (or thread) sends from and receives into, and how it fills and checks that.
class payload {
public:
    /// For messages of at most `largest` bytes, `regions` under way together where buffers are apart.
    payload(options const& asked, std::size_t largest, std::size_t regions, int rank, placement where = placement::host)
        : asked_{asked}, out_{bytes_for(asked, largest, regions), where},
          in_{bytes_for(asked, largest, regions), where} {
        if (asked.check.log) log_.emplace(*asked.check.log, rank);
    }

    /// The buffers as f(out, in) wants them: one region for all messages, or several (`regions_for`), which may be
    /// one, and is what f gets where it takes no other.
    template <class F>
    decltype(auto) with(spot const& at, message_layout::described const& message, F f) {
        auto const where = places_of(at, message.span);
        out_.fill(where, 'a');
        in_.fill(where, 'b');
        measuring_ = true;
        if constexpr (std::invocable<F&, sonde::opaque_slice, sonde::opaque_slice>)
            if (where.count == 1) return f(out_.together(where), in_.together(where));
        return f(out_.apart(where), in_.apart(where));
    }

    /// Contents count from now on, until the next `with`.
    void end_measuring() { measuring_ = false; }
    /// What to look at while messages are under way.
    bool const* measuring() const { return &measuring_; }

    void write_out(spot const& at, std::size_t span, std::size_t iteration) {
        auto const where = places_of(at, span);
        std::vector<std::byte> message(span);
        for (std::size_t i = 0; i != where.count; ++i) {
            out_.read(where, i, message); // what is no part of an element stays
            write(message, {at.type.kind, at.size, iteration + i});
            out_.write(where, i, message);
        }
    }
    void clear_in(spot const& at, std::size_t span) { in_.fill(places_of(at, span), 0); }

    /// Wrong elements among those received, listed where that is asked for.
    std::size_t count_wrong_in(spot const& at, std::size_t span, std::size_t iteration) const {
        auto const where = places_of(at, span);
        std::vector<std::byte> message(span);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i != where.count; ++i) {
            contents const expected{at.type.kind, at.size, iteration + i};
            in_.read(where, i, message);
            auto const here = find_wrong(message, expected);
            if (log_) (*log_)(expected, here);
            wrong += here.size();
        }
        return wrong;
    }

private:
    places places_of(spot const& at, std::size_t span) const {
        return {span, regions_for(asked_, span, at.window * at.peers)};
    }

    options asked_;
    bool measuring_ = false;
    buffer out_;
    buffer in_;
    std::optional<wrong_log> log_;
};

} // namespace osu
