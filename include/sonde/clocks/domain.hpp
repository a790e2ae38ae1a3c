// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace sonde {

namespace detail {

inline std::string link_target(char const* path) {
    std::array<char, 64> text{};
    auto const length = readlink(path, text.data(), text.size());
    return length < 0 ? std::string{} : std::string{text.data(), static_cast<std::size_t>(length)};
}

inline std::string first_line(char const* path) {
    std::array<char, 64> text{};
    auto* const file = std::fopen(path, "r");
    if (file == nullptr) return {};
    auto const* const line = std::fgets(text.data(), static_cast<int>(text.size()), file);
    std::fclose(file);
    std::string found{line == nullptr ? "" : line};
    while (!found.empty() && found.back() == '\n') found.pop_back();
    return found;
}

} // namespace detail

/// A word that is the same in two processes whose monotonic clocks are one: the same boot of one kernel, and the same
/// namespace of time in it. Empty where the system does not say (other systems than Linux).
[[nodiscard]] inline std::string clock_domain() {
    auto const boot = detail::first_line("/proc/sys/kernel/random/boot_id");
    auto const time = detail::link_target("/proc/self/ns/time");
    // A kernel before 5.6 knows namespaces, but none of time; where none is shown at all, nothing is known.
    auto const known = !time.empty() || !detail::link_target("/proc/self/ns/uts").empty();
    return boot.empty() || !known ? std::string{} : boot + ' ' + time;
}

/// For each rank the first rank with the same word: who speaks for all that share a clock. An empty word is like no
/// other.
[[nodiscard]] inline std::vector<int> clock_leaders(std::vector<std::string> const& words) {
    std::map<std::string, int> first;
    std::vector<int> leaders;
    for (auto const& word : words) {
        auto const rank = static_cast<int>(leaders.size());
        leaders.push_back(word.empty() ? rank : first.emplace(word, rank).first->second);
    }
    return leaders;
}

namespace detail {

inline constexpr std::size_t letters_in_number = 6; // 48 bits: a double holds them exactly

/// Every rank's word, on every rank. Collective over the group.
template <Group G>
std::vector<std::string> all_words(G& group, std::string mine) {
    std::array<double, 1> longest{static_cast<double>(mine.size())};
    group.all_reduce(longest, reduction::max);
    auto const width = (static_cast<std::size_t>(longest[0]) + letters_in_number - 1) / letters_in_number;
    std::vector<double> numbers(width * static_cast<std::size_t>(group.size()));
    mine.resize(width * letters_in_number); // with zeros, which no word has
    for (std::size_t i = 0; i != mine.size(); ++i) {
        auto& number = numbers[static_cast<std::size_t>(group.rank()) * width + i / letters_in_number];
        number = 256 * number + static_cast<unsigned char>(mine[i]);
    }
    group.all_reduce(numbers, reduction::sum);
    std::vector<std::string> words(static_cast<std::size_t>(group.size()));
    for (std::size_t i = 0; i != numbers.size(); ++i)
        for (double unit = 1099511627776; unit >= 1; unit /= 256) { // 256^5: the first letter of six
            auto const letter = static_cast<unsigned char>(static_cast<unsigned long long>(numbers[i] / unit) % 256);
            if (letter != 0) words[i / width] += static_cast<char>(letter);
        }
    return words;
}

} // namespace detail

} // namespace sonde
