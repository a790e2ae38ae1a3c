// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/sizes.hpp"

#include "osu/driver/library.hpp"
#include "suite/refusal.hpp"

#include <sonde/measure/record.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace osu {

options within(options asked, size_limits const& limits) {
    auto const element = limits.element;
    if (element > 1) asked.min_size = element * std::max<std::size_t>(asked.min_size / element, 1);
    if (asked.min_size > asked.max_size)
        throw refusal{"No element has room [-m]; accepted: a MAX of at least " + std::to_string(asked.min_size)};
    if (limits.blocks) {
        auto const most = asked.memory_limit / *limits.blocks;
        if (asked.min_size > most)
            throw refusal{"Memory limit smaller than one message [-M " + std::to_string(asked.memory_limit) +
                          "]; accepted: at least " + std::to_string(asked.min_size * *limits.blocks)};
        asked.max_size = std::min(asked.max_size, most);
    }
    if (asked.max_size / element > limits.most_elements)
        throw refusal{"Too many elements [-m " + std::to_string(asked.max_size) + "]; accepted: sizes up to " +
                      std::to_string(element * limits.most_elements)};
    return asked;
}

std::vector<std::size_t> sizes_of(program const& about, options const& asked, datatype const& type) {
    if (about.rows == rows::one || about.rows == rows::operations) return {0};
    if (about.rows == rows::one_element) return {type.bytes};
    std::vector<std::size_t> all;
    for (auto const size : sonde::sizes(asked.min_size, asked.max_size))
        if (size >= type.bytes || (size == 0 && about.moved_by.empty_messages)) all.push_back(size);
    return all;
}

std::size_t number_of_points(program const& about, options const& asked) {
    if (about.rows == rows::operations) return about.operations;
    std::size_t all = 0;
    for (auto const& type : types_of(asked))
        all += sizes_of(about, asked, type).size() * (asked.vary_window ? varied_windows.size() : 1);
    return all;
}

void require_row(program const& about, options const& asked) {
    if (number_of_points(about, asked) != 0) return;
    auto least = types_of(asked).front().bytes;
    for (auto const& type : types_of(asked)) least = std::min(least, type.bytes);
    throw refusal{"No size holds an element [-m " + std::to_string(asked.min_size) + ":" +
                  std::to_string(asked.max_size) + "]; accepted: a size of at least " + std::to_string(least)};
}

} // namespace osu
