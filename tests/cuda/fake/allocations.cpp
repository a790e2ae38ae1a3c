// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"

#include "devices.hpp"
#include "enqueue.hpp"
#include "settings.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>

namespace fake {

namespace {

struct allocation {
    memory_type type;
    int device;
    std::size_t size;
    std::byte* view; // the fake's own mapping, for memory that the host must not touch
};

struct memory {
    std::mutex lock;
    std::map<std::byte*, allocation> all; // by the program's address
};

} // namespace

static memory& one() {
    static auto& it = *new memory;
    return it;
}

static std::byte* map_file(int file, std::size_t n, int protection) {
    auto* const at = mmap(nullptr, n, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

// One file, mapped twice: for the program and for the fake.
static std::byte* map_twice(std::size_t n, int protection, std::byte*& view) {
    auto const file = memfd_create("fake_cuda", MFD_CLOEXEC);
    if (file < 0) return nullptr;
    auto const sized = ftruncate(file, static_cast<off_t>(n)) == 0;
    view = sized ? map_file(file, n, PROT_READ | PROT_WRITE) : nullptr;
    auto* const address = view != nullptr ? map_file(file, n, protection) : nullptr;
    close(file);
    return address;
}

static std::size_t taken_unlocked(int device) {
    std::size_t sum = 0;
    for (auto const& [address, each] : one().all) {
        if (each.type == memory_type::device && each.device == device) sum += each.size;
    }
    return sum;
}

std::size_t taken(int device) {
    auto const hold = std::lock_guard{one().lock};
    return taken_unlocked(device);
}

std::size_t allocated() {
    auto const hold = std::lock_guard{one().lock};
    std::size_t sum = 0;
    for (auto const& [address, each] : one().all) sum += each.size;
    return sum;
}

void* allocate(memory_type type, std::size_t n) {
    auto const hold = std::lock_guard{one().lock};
    auto const on_device = type == memory_type::device;
    if (on_device && n > current_settings().memory - taken_unlocked(current_device())) return nullptr;
    auto const hidden = on_device && !current_settings().readable;
    std::byte* view = nullptr;
    auto* const address = map_twice(n, hidden ? PROT_NONE : PROT_READ | PROT_WRITE, view);
    if (address == nullptr) return nullptr;
    one().all[address] = {type, current_device(), n, view};
    return address;
}

static void unmap(std::byte* address, allocation const& what) {
    munmap(address, what.size);
    munmap(what.view, what.size);
}

bool deallocate(void* address, memory_type type, memory_type or_type) {
    auto const hold = std::lock_guard{one().lock};
    auto const found = one().all.find(static_cast<std::byte*>(address));
    if (found == one().all.end() || (found->second.type != type && found->second.type != or_type)) return false;
    unmap(found->first, found->second);
    one().all.erase(found);
    return true;
}

void forget_allocations(int device) {
    auto const hold = std::lock_guard{one().lock};
    std::erase_if(one().all, [&](auto const& each) {
        auto const meant = device == -1 || each.second.device == device;
        if (meant) unmap(each.first, each.second);
        return meant;
    });
}

std::optional<place> place_of(void const* address, std::size_t n) {
    auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
    auto const hold = std::lock_guard{one().lock};
    auto const behind = one().all.upper_bound(at);
    if (behind == one().all.begin()) return place{at, memory_type::pageable, -1};
    auto const& [begin, what] = *std::prev(behind);
    auto const offset = static_cast<std::size_t>(at - begin);
    if (offset >= what.size) return place{at, memory_type::pageable, -1};
    if (n > what.size - offset) return std::nullopt;
    return place{what.view + offset, what.type, what.device};
}

} // namespace fake

void* fake_cuda_host(void const* device) { return fake::place_of(device, 0)->bytes; }
