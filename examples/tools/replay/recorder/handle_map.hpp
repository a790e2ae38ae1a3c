// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/event.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tools::replay {

/// Numbers of handles, or of other keys of 64 bits: open addressing without a hole between a key's place and its entry.
/// A key may have several numbers, because MPI libraries give all messages that are complete at once one request:
/// the number that was added first is found.
class handle_map {
public:
    void add(std::uint64_t key, std::int64_t number) {
        if (2 * (size_ + 1) > entries_.size()) grow();
        auto at = place_of(key);
        while (entries_[at].is_used) at = next(at);
        entries_[at] = {key, number, true};
        ++size_;
    }

    std::optional<std::int64_t> find(std::uint64_t key) const {
        return find_if(key, [](std::int64_t) { return true; });
    }
    /// The first number of the key for which `is_wanted` is true.
    std::optional<std::int64_t> find_if(std::uint64_t key, auto is_wanted) const {
        if (size_ == 0) return std::nullopt;
        for (auto at = place_of(key); entries_[at].is_used; at = next(at))
            if (entries_[at].key == key && is_wanted(entries_[at].number)) return entries_[at].number;
        return std::nullopt;
    }

    /// The number, which is removed.
    std::optional<std::int64_t> take(std::uint64_t key) {
        auto at = position_of(key);
        if (at == entries_.size()) return std::nullopt;
        auto const number = entries_[at].number;
        for (auto other = next(at); entries_[other].is_used; other = next(other)) // later entries move up
            if (distance(place_of(entries_[other].key), other) >= distance(at, other)) {
                entries_[at] = entries_[other];
                at = other;
            }
        entries_[at].is_used = false;
        --size_;
        return number;
    }

    std::size_t size() const { return size_; }

private:
    struct entry {
        std::uint64_t key = 0;
        std::int64_t number = 0;
        bool is_used = false;
    };

    std::size_t place_of(std::uint64_t key) const { return mixed(0, key) & (entries_.size() - 1); }
    std::size_t next(std::size_t at) const { return (at + 1) & (entries_.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (entries_.size() - 1); }
    std::size_t position_of(std::uint64_t key) const {
        if (size_ == 0) return entries_.size();
        for (auto at = place_of(key); entries_[at].is_used; at = next(at))
            if (entries_[at].key == key) return at;
        return entries_.size();
    }
    void grow() {
        auto const before = std::move(entries_);
        entries_.assign(before.empty() ? 64 : 2 * before.size(), {});
        size_ = 0;
        std::size_t first = 0; // behind a hole, so that the numbers of a key stay in their order
        while (first != before.size() && before[first].is_used) ++first;
        for (std::size_t i = 0; i != before.size(); ++i)
            if (auto const& e = before[(first + i) & (before.size() - 1)]; e.is_used) add(e.key, e.number);
    }

    std::vector<entry> entries_;
    std::size_t size_ = 0;
};

/// Key of a handle of MPI, which is a pointer or an integer.
template <class Handle>
std::uint64_t key_of(Handle handle) {
    if constexpr (requires { *handle; }) return reinterpret_cast<std::uintptr_t>(handle);
    else return static_cast<std::uint64_t>(handle);
}

} // namespace tools::replay
