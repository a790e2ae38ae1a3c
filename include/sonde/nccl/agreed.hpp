// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/told_by.hpp>
#include <sonde/group.hpp>
#include <sonde/nccl/error.hpp>

#include <array>
#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace sonde::nccl::detail {

/// What an error says, as numbers, by which a group talks: the code, then the characters.
inline std::vector<double> numbers_of(std::optional<error> const& failure) {
    std::vector<double> numbers;
    if (!failure) return numbers;
    numbers.push_back(failure->code());
    for (auto const* letter = failure->what(); *letter != '\0'; ++letter)
        numbers.push_back(static_cast<unsigned char>(*letter));
    return numbers;
}

inline error error_of(int rank, std::vector<double> const& numbers) {
    std::string what = "rank " + std::to_string(rank) + ": ";
    for (auto letter = numbers.begin() + 1; letter != numbers.end(); ++letter)
        what += static_cast<char>(static_cast<unsigned char>(*letter));
    return {what, static_cast<ncclResult_t>(numbers[0])};
}

/// Who tells what went wrong: the first rank that failed by itself; one that failed since another had, only where there
/// is no such.
inline double order_of(std::optional<error> const& failure, int rank, int size) {
    if (!failure) return 2.0 * size;
    return failure->code() == ncclRemoteError ? size + rank : rank;
}

/// A step that all ranks take: where it throws on one, all throw nccl::error with what that one says. Collective over
/// the group.
template <Group G, std::invocable F>
void agreed(G& group, F step) {
    std::optional<error> failure;
    try {
        step();
    } catch (error const& e) {
        failure = e;
    } catch (std::exception const& e) {
        failure.emplace(e.what(), ncclSystemError);
    }
    std::array<double, 1> first{order_of(failure, group.rank(), group.size())};
    group.all_reduce(first, reduction::min);
    if (first[0] == 2.0 * group.size()) return;
    auto const rank = static_cast<int>(first[0]) % group.size();
    throw error_of(rank, sonde::detail::told_by(rank, group, numbers_of(failure)));
}

} // namespace sonde::nccl::detail
