// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace sonde::inline v0_1 {

/// Host memory on huge pages of 2 MiB, which need few TLB entries. It is aligned to 2 MiB. On systems other than Linux
/// it has the same alignment, and the system chooses the pages.
class huge_pages : public host_memory_base {
public:
    /// Bytes of a huge page.
    static constexpr std::size_t page_size = std::size_t{1} << 21;

    /// Pages that an allocation got: base pages only; transparent huge pages, if the system has free ones at first
    /// touch (madvise); huge pages from the administrator's reserved pool (MAP_HUGETLB).
    enum class page_kind : unsigned char { base, transparent, reserved };

    /// Throws std::bad_alloc if even base pages are exhausted.
    void* allocate(std::size_t n) {
        if (n > SIZE_MAX - 2 * page_size) throw std::bad_alloc{}; // rounding up and one page more would overflow
        auto const bytes = round_up(n);
#if defined(MAP_HUGETLB) && defined(MAP_HUGE_SHIFT)
        constexpr int huge = MAP_HUGETLB | 21 << MAP_HUGE_SHIFT; // 2^21 bytes, not the system's default huge page
        if (void* const reserved = map(bytes, huge); reserved != MAP_FAILED) {
            kind_ = page_kind::reserved;
            return reserved;
        }
#endif
        void* const p = map_aligned(bytes);
        kind_ = page_kind::base;
#ifdef MADV_HUGEPAGE
        if (madvise(p, bytes, MADV_HUGEPAGE) == 0) kind_ = page_kind::transparent;
#endif
        return p;
    }
    void deallocate(void* p, std::size_t n) const { munmap(p, round_up(n)); }

    /// Pages of the last allocation.
    page_kind kind() const { return kind_; }

private:
    static std::size_t round_up(std::size_t n) { return (n + page_size - 1) / page_size * page_size; }
    static void* map(std::size_t bytes, int flags) {
        return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    }
    /// Maps one page more and unmaps the unaligned ends.
    static void* map_aligned(std::size_t bytes) {
        void* const all = map(bytes + page_size, 0);
        if (all == MAP_FAILED) throw std::bad_alloc{};
        auto* const first = static_cast<std::byte*>(all);
        auto const before = (page_size - reinterpret_cast<std::uintptr_t>(all) % page_size) % page_size;
        if (before != 0) munmap(first, before);
        munmap(first + before + bytes, page_size - before);
        return first + before;
    }

    page_kind kind_ = page_kind::base;
};

/// Wraps a memory; `allocate` touches each page, which places a new page on the NUMA node of the calling thread. Pages
/// that the wrapped memory reuses keep their node; `huge_pages` maps new ones at each allocation.
template <Memory M = host_memory>
    requires(M::host_accessible)
class first_touch_memory {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = M::device_accessible;

    first_touch_memory() = default;
    explicit first_touch_memory(M memory) : memory_{std::move(memory)} {}

    void* allocate(std::size_t n) {
        void* const p = memory_.allocate(n);
        touch({static_cast<std::byte*>(p), n});
        return p;
    }
    void deallocate(void* p, std::size_t n) { memory_.deallocate(p, n); }
    void fill(region bytes, std::byte value) { memory_.fill(bytes, value); }
    /// The memory that is touched.
    M const& memory() const& { return memory_; }
    void memory() const&& = delete;

private:
    /// The stores are volatile, or a compiler may remove them because the bytes are not read.
    static void touch(region bytes) {
        constexpr std::size_t page = 4096; // the smallest base page in use
        for (std::size_t at = 0; at < bytes.size(); at += page)
            *const_cast<std::byte volatile*>(&bytes[at]) = std::byte{0};
        *const_cast<std::byte volatile*>(&bytes.back()) = std::byte{0};
    }

    M memory_;
};

} // namespace sonde
