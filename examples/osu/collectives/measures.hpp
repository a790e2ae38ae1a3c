// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rows.hpp"
#include "stage.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

namespace osu {

/// A row of the table as the program of one family needs it: its types are gone.
struct measured {
    collective of;
    extents (*needs)(common::recipe const&);
    finding (*measure)(collective_stage& on, spot const& at);
};

namespace detail {

template <std::size_t I>
extents needs_of(common::recipe const& r) {
    auto const kind = std::get<I>(rows).make(r);
    return {kind.send_bytes(), kind.recv_bytes()};
}

template <class Family, std::size_t I>
finding measure_row(collective_stage& on, spot const& at) {
    auto const made = on.of(at); // owns the derived type, if there is one
    auto const kind = std::get<I>(rows).make(made.recipe);
    return Family::measure(on, kind, on.regions({kind.send_bytes(), kind.recv_bytes()}), at);
}

template <class Family, std::size_t I>
constexpr measured erased() {
    constexpr auto of = std::get<I>(rows).of;
    if constexpr (std::string_view{of.families}.find(Family::letter) == std::string_view::npos)
        return {of, nullptr, nullptr};
    else return {of, &needs_of<I>, &measure_row<Family, I>};
}

} // namespace detail

/// The row of a name, as measured by `Family::measure(stage, kind, places, spot)` -> finding.
template <class Family>
measured find_row(std::string_view name) {
    constexpr auto all = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{detail::erased<Family, I>()...};
    }(std::make_index_sequence<std::tuple_size_v<decltype(rows)>>{});
    for (auto const& m : all)
        if (m.of.name == name && m.measure != nullptr) return m;
    throw std::invalid_argument{"osu: no such collective"};
}

} // namespace osu
