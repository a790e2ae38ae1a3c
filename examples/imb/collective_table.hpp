// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "collective_kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace imb {

/// What all forms of a collective have in common.
inline benchmark described(collective const& of) {
    auto const sized = of.kind != family::synchronization;
    return {.name = of.name,
            .kind = of.kind,
            .shows = sized ? columns::range : columns::sync,
            .make = {},
            .needs = of.needs,
            .reduces = of.reduces,
            .rooted = of.rooted};
}

namespace detail {

template <class Form, std::size_t I>
void add_row(std::vector<std::pair<int, benchmark>>& to) {
    constexpr auto of = std::get<I>(collective_rows).of;
    if constexpr (std::string_view{of.forms}.find(Form::letter) != std::string_view::npos) {
        auto row = Form::describe(of);
        row.make = [](setting& s) { return Form::make(std::get<I>(collective_rows).make, s); };
        to.emplace_back(Form::letter == 'b' ? 0 : of.later, std::move(row));
    }
}

} // namespace detail

/// The rows of a program, in its order: `Form::letter`, `Form::describe(collective)` -> benchmark without `make`,
/// `Form::make(kind of a recipe, setting)` -> work.
template <class Form>
std::vector<benchmark> rows_of() {
    std::vector<std::pair<int, benchmark>> found;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (detail::add_row<Form, I>(found), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(collective_rows)>>{});
    std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    std::vector<benchmark> rows;
    for (auto& [place, row] : found) rows.push_back(std::move(row));
    return rows;
}

} // namespace imb
