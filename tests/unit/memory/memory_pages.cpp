// SPDX-License-Identifier: BSL-1.0
#include <sonde/memory/pages.hpp>

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace {

auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

/// Memory with untouched pages.
struct untouched {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    void* allocate(std::size_t n) const {
        void* const p = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc{};
        return p;
    }
    void deallocate(void* p, std::size_t n) const { munmap(p, n); }
    void fill(sonde::region bytes, std::byte value) const { sonde::host_memory{}.fill(bytes, value); }
};

/// The number of pages with memory of the system; -1 for an unmapped address.
std::ptrdiff_t touched(void* at, std::size_t bytes) {
    std::vector<unsigned char> there((bytes + page - 1) / page);
    if (mincore(at, bytes, there.data()) != 0) return -1;
    return std::count_if(there.begin(), there.end(), [](unsigned char one) { return (one & 1) != 0; });
}

bool system_has_huge_pages() {
    sonde::allocation<untouched> const some{sonde::huge_pages::page_size};
    return madvise(some.bytes().data(), sonde::huge_pages::page_size, MADV_HUGEPAGE) == 0;
}

} // namespace

TEST_CASE(
    "first_touch_memory: every page is touched, also a partial last one; none that the memory has touched itself") {
    auto const bytes = 9 * page + 1;
    sonde::allocation<untouched> const before{bytes};
    CHECK(touched(before.bytes().data(), bytes) == 0);
    sonde::allocation<sonde::first_touch_memory<untouched>> after{bytes};
    CHECK(touched(after.bytes().data(), bytes) == 10);
}

TEST_CASE("first_touch_memory: an allocation not aligned to pages is touched to its end") {
    static std::byte* pages = nullptr;
    struct shifted : untouched {
        void* allocate(std::size_t n) const {
            pages = static_cast<std::byte*>(untouched::allocate(2 * page));
            return pages + page - n / 2;
        }
        void deallocate(void*, std::size_t) const { untouched::deallocate(pages, 2 * page); }
    };
    sonde::allocation<sonde::first_touch_memory<shifted>> const across{100};
    CHECK(touched(pages, 2 * page) == 2);
}

TEST_CASE("huge_pages: begins at a multiple of 2 MiB on any mapping, and reports the kind of its pages") {
    for (std::size_t const bytes : {std::size_t{1}, sonde::huge_pages::page_size, sonde::huge_pages::page_size + 1}) {
        sonde::huge_pages memory;
        auto* const p = static_cast<std::byte*>(memory.allocate(bytes));
        CHECK(reinterpret_cast<std::uintptr_t>(p) % sonde::huge_pages::page_size == 0);
        CHECK((memory.kind() == sonde::huge_pages::page_kind::base) == !system_has_huge_pages());
        memory.fill({p, bytes}, std::byte{7});
        CHECK(std::count(p, p + bytes, std::byte{7}) == static_cast<std::ptrdiff_t>(bytes));
        memory.deallocate(p, bytes);
        auto const last = (bytes - 1) / sonde::huge_pages::page_size * sonde::huge_pages::page_size;
        CHECK(touched(p, page) == -1);
        CHECK(touched(p + last + sonde::huge_pages::page_size - page, page) == -1);
    }
}

TEST_CASE("huge_pages: as a memory of allocations, with first touch of each page") {
    auto const all = 1000 * page;
    sonde::allocation<sonde::first_touch_memory<sonde::huge_pages>> const bytes{all};
    CHECK(touched(bytes.bytes().data(), all) == 1000);
    CHECK((bytes.memory().memory().kind() == sonde::huge_pages::page_kind::base) == !system_has_huge_pages());
    CHECK(bytes.first(8).next().data() == bytes.bytes().data());
}

TEST_CASE("huge_pages: more than the address space has is refused") {
    auto const most = std::numeric_limits<std::size_t>::max(), whole = sonde::huge_pages::page_size;
    for (std::size_t const n :
         {std::size_t{1} << 60, most, most - 100, most - whole + 1, most - whole, most - 2 * whole})
        CHECK_THROWS_AS(sonde::huge_pages{}.allocate(n), std::bad_alloc);
}
