// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/upcxx/group.hpp>

#include <upcxx/upcxx.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::inline v0_1::upcxx {

/// Environment variable that sets the size of a process's shared segment, as the option -shared-heap of upcxx-run does.
inline constexpr char const* segment_size_variable = "UPCXX_SHARED_HEAP_SIZE";

/// Exception for an allocation that does not fit into the shared segment of this process.
class segment_exhausted : public std::bad_alloc {
public:
    explicit segment_exhausted(std::size_t bytes)
        : what_{"sonde::upcxx: the shared segment has no room for " + std::to_string(bytes) + " bytes; " +
                segment_size_variable + " sets its size"} {}
    /// The message.
    char const* what() const noexcept override { return what_.c_str(); }

private:
    std::string what_;
};

/// Memory of this process's shared segment (upcxx::allocate), which other processes access by global pointers. Not
/// collective: processes allocate and free by themselves, and addresses differ between them. Memory must be freed
/// before UPC++ is finalized.
class shared_memory : public host_memory_base {
public:
    shared_memory() = default;
    /// `alignment` in bytes: a power of two.
    explicit shared_memory(std::size_t alignment) : alignment_{alignment} {}

    /// Throws segment_exhausted, on this rank alone.
    void* allocate(std::size_t n) const {
        auto* const start = ::upcxx::allocate(n, alignment_);
        if (start == nullptr) throw segment_exhausted{n};
        return start;
    }
    void deallocate(void* p, std::size_t) const { ::upcxx::deallocate(p); }

private:
    std::size_t alignment_ = static_cast<std::size_t>(host_memory::page);
};

using shared_allocation = allocation<shared_memory>;

/// Bytes of the shared segment of any rank. Without bytes the pointer is null.
struct global_region {
    ::upcxx::global_ptr<std::byte> data{}; // to the first byte
    std::size_t size = 0;                  // number of bytes

    /// The n bytes from `at` on.
    global_region subspan(std::size_t at, std::size_t n) const {
        if (at > size || n > size - at)
            throw std::out_of_range{"sonde::upcxx: bytes " + std::to_string(at) + " to " + std::to_string(at + n) +
                                    " of a global region of " + std::to_string(size)};
        return {data + static_cast<std::ptrdiff_t>(at), n};
    }
    /// The first n bytes.
    global_region first(std::size_t n) const { return subspan(0, n); }
};

namespace detail {

/// The global region of bytes of this process's shared segment; a null pointer with the size of other bytes.
inline global_region find_in_segment(region mine) {
    if (mine.empty()) return {};
    auto const first = ::upcxx::try_global_ptr(mine.data());
    auto const last = ::upcxx::try_global_ptr(mine.data() + mine.size() - 1);
    auto const found = !first.is_null() && !last.is_null() && first.where() == ::upcxx::rank_me();
    return {found ? first : ::upcxx::global_ptr<std::byte>{}, mine.size()};
}

/// Returns the region. Throws std::invalid_argument if it is in no shared segment.
inline global_region require_shared(global_region found, int rank) {
    if (found.size != 0 && found.data.is_null())
        throw std::invalid_argument{"sonde::upcxx: a region of " + std::to_string(found.size) +
                                    " bytes is not in the shared segment of rank " + std::to_string(rank)};
    return found;
}

} // namespace detail

/// The global region of bytes of this process's shared segment. Throws std::invalid_argument for other bytes. Not
/// collective.
[[nodiscard]] inline global_region global_region_of(region mine) {
    return detail::require_shared(detail::find_in_segment(mine), static_cast<int>(::upcxx::rank_me()));
}

/// The region that each rank of the group passes, by rank. Throws std::invalid_argument, on all ranks, if a rank passes
/// bytes that are not in its shared segment. Collective over the group: two broadcasts of each rank.
[[nodiscard]] inline std::vector<global_region> global_regions(group_ref ranks, region mine) {
    auto const own = detail::find_in_segment(mine);
    auto const& team = ranks.get().team();
    std::vector<global_region> all;
    for (int rank = 0; rank != ranks.get().size(); ++rank) {
        auto const size = ::upcxx::broadcast(static_cast<std::uint64_t>(own.size), rank, team).wait();
        all.push_back({::upcxx::broadcast(own.data, rank, team).wait(), static_cast<std::size_t>(size)});
    }
    for (int rank = 0; rank != ranks.get().size(); ++rank)
        detail::require_shared(all[static_cast<std::size_t>(rank)], rank);
    return all;
}

} // namespace sonde::upcxx
