// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace sonde {

/// Host memory on pages of 2 MiB, at multiples of which it begins: few entries of the TLB serve it.
class huge_pages {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;
    static constexpr std::size_t page = std::size_t{1} << 21;

    /// The system's usual pages alone; huge ones as memory is touched, while it has some (madvise); huge ones that an
    /// administrator reserved, all of them (MAP_HUGETLB).
    enum class kind : unsigned char { usual, advised, reserved };

    /// Throws std::bad_alloc where there are not even pages of the usual size.
    void* allocate(std::size_t n) {
        if (n > SIZE_MAX - 2 * page) throw std::bad_alloc{}; // whole pages and one more would begin at 0 again
        auto const bytes = whole(n);
        if (void* const reserved = map(bytes, huge); reserved != MAP_FAILED) {
            got_ = kind::reserved;
            return reserved;
        }
        void* const p = map_aligned(bytes);
        got_ = madvise(p, bytes, MADV_HUGEPAGE) == 0 ? kind::advised : kind::usual;
        return p;
    }
    void deallocate(void* p, std::size_t n) const { munmap(p, whole(n)); }
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }

    /// What the last allocation got.
    kind got() const { return got_; }

private:
    static constexpr int huge = MAP_HUGETLB | 21 << MAP_HUGE_SHIFT; // 2^21 bytes, whatever size is the system's default

    static std::size_t whole(std::size_t n) { return (n + page - 1) / page * page; }
    static void* map(std::size_t bytes, int more) {
        return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
    }
    /// A page more than is needed, of which what stands out at either end is given back.
    static void* map_aligned(std::size_t bytes) {
        void* const all = map(bytes + page, 0);
        if (all == MAP_FAILED) throw std::bad_alloc{};
        auto* const first = static_cast<std::byte*>(all);
        auto const before = (page - reinterpret_cast<std::uintptr_t>(all) % page) % page;
        if (before != 0) munmap(first, before);
        munmap(first + before + bytes, page - before);
        return first + before;
    }

    kind got_ = kind::usual;
};

} // namespace sonde
