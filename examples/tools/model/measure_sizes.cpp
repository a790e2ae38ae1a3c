// SPDX-License-Identifier: BSL-1.0
#include "measure_sizes.hpp"

#include "../../common/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace tools::model {

namespace {

constexpr std::size_t most_sizes = 10000;
constexpr std::size_t largest = std::size_t{1} << 40;

[[noreturn]] void refuse(std::string const& text, std::string const& why) {
    throw std::invalid_argument{"--sizes " + text + ": " + why};
}

/// Bytes, at least 1; none where the text is no such size.
std::optional<std::size_t> size_in(std::string text) {
    std::size_t unit = 1;
    auto const letter = text.empty() ? std::string::npos : std::string{"kmg"}.find(common::lower(text).back());
    if (letter != std::string::npos) {
        unit = std::size_t{1} << (10 * (letter + 1));
        text.pop_back();
    }
    auto const n = common::number<std::size_t>(text, 1, largest / unit);
    return n ? std::optional{*n * unit} : std::nullopt;
}

std::vector<std::size_t> parts_of(std::string const& text, char separator) {
    std::vector<std::size_t> all;
    for (auto const& part : common::split(text, separator)) {
        auto const size = size_in(part);
        if (!size) refuse(text, "'" + part + "' is no size of 1 byte to 1024G");
        all.push_back(*size);
    }
    return all;
}

void require_few(std::string const& text, double count) {
    if (count > most_sizes) refuse(text, "more than " + std::to_string(most_sizes) + " sizes");
}

std::vector<std::size_t> stepped(std::string const& text, std::size_t first, std::size_t last, std::size_t step) {
    require_few(text, static_cast<double>(last - first) / static_cast<double>(step) + 1);
    std::vector<std::size_t> all;
    for (auto size = first; size <= last; size += step) all.push_back(size);
    return all;
}

std::vector<std::size_t> spaced(std::string const& text, std::size_t first, std::size_t last, std::size_t per_octave) {
    auto const n = static_cast<double>(per_octave), from = static_cast<double>(first);
    auto const steps = n * std::log2(static_cast<double>(last) / from);
    require_few(text, steps + 1);
    std::vector<std::size_t> all;
    for (double i = 0; i < steps; ++i) all.push_back(static_cast<std::size_t>(std::llround(from * std::exp2(i / n))));
    all.push_back(last); // as it was given
    return all;
}

std::vector<std::size_t> range_in(std::string const& text, std::size_t per_octave) {
    auto const parts = parts_of(text, ':');
    if (parts.size() > 3) refuse(text, "takes A:B, A:B:STEP or a list A,B,..");
    if (parts[1] < parts[0]) refuse(text, "the last size is below the first");
    return parts.size() == 3 ? stepped(text, parts[0], parts[1], parts[2])
                             : spaced(text, parts[0], parts[1], per_octave);
}

} // namespace

std::vector<std::size_t> sizes_of(std::string const& text, std::size_t per_octave) {
    auto const range = text.find(':') != std::string::npos;
    auto all = range ? range_in(text, per_octave) : parts_of(text, ',');
    require_few(text, static_cast<double>(all.size()));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace tools::model
