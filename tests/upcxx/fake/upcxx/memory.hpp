// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/process.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upcxx {

/// Pointer to an object in the segment of a rank.
template <class T>
class global_ptr {
public:
    using element_type = T;

    global_ptr() = default;
    global_ptr(intrank_t rank, std::ptrdiff_t offset) : rank_{rank}, offset_{offset} {}
    operator global_ptr<T const>() const
        requires(!std::is_const_v<T>)
    {
        return {rank_, offset_};
    }

    bool is_null() const { return rank_ < 0; }
    intrank_t where() const { return rank_; }
    std::ptrdiff_t offset() const { return offset_; }
    /// The address here: all segments are in the memory of this process.
    T* local() const {
        if (is_null()) return nullptr;
        return reinterpret_cast<T*>(fake_upcxx::here().link->segment(rank_) + offset_);
    }
    friend global_ptr operator+(global_ptr p, std::ptrdiff_t n) {
        return {p.rank_, p.offset_ + n * static_cast<std::ptrdiff_t>(sizeof(T))};
    }
    friend bool operator==(global_ptr const&, global_ptr const&) = default;

private:
    intrank_t rank_ = -1;
    std::ptrdiff_t offset_ = 0;
};

template <class U, class T>
global_ptr<U> reinterpret_pointer_cast(global_ptr<T> p) {
    return {p.where(), p.offset()};
}

/// Null for memory that is in no segment.
template <class T>
global_ptr<T> try_global_ptr(T* p) {
    auto const& link = *fake_upcxx::here().link;
    auto const at = reinterpret_cast<std::uintptr_t>(p);
    for (int rank = 0; p != nullptr && rank != link.size(); ++rank) {
        auto const first = reinterpret_cast<std::uintptr_t>(link.segment(rank));
        if (at >= first && at < first + link.segment_bytes()) return {rank, static_cast<std::ptrdiff_t>(at - first)};
    }
    return {};
}

/// Bytes of this rank's segment; null if it has no room.
inline void* allocate(std::size_t n, std::size_t alignment = alignof(std::max_align_t)) {
    auto& here = fake_upcxx::here();
    auto* const segment = here.link->segment(here.link->rank());
    auto const aligned = [&](std::size_t offset) {
        auto const address = reinterpret_cast<std::uintptr_t>(segment) + offset;
        return offset + (alignment - address % alignment) % alignment;
    };
    std::size_t offset = aligned(0);
    for (auto const& [first, length] : here.blocks) {
        if (offset <= first && n <= first - offset) break;
        offset = aligned(first + length);
    }
    auto const all = here.link->segment_bytes();
    if (offset > all || n > all - offset) return nullptr;
    here.blocks[offset] = n == 0 ? 1 : n;
    return segment + offset;
}
inline void deallocate(void* p) {
    auto& here = fake_upcxx::here();
    auto const offset = static_cast<std::byte*>(p) - here.link->segment(here.link->rank());
    fake_upcxx::require(here.blocks.erase(static_cast<std::size_t>(offset)) == 1, "deallocate of other memory");
}

} // namespace upcxx
