// SPDX-License-Identifier: BSL-1.0
#include "segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

namespace fake {

// In two parts if they span the ring's end.
std::size_t ring::put(std::byte const* from, std::size_t n) {
    auto const at = written.load();
    n = std::min({n, room - static_cast<std::size_t>(at - taken.load()), room - at % room});
    std::memcpy(bytes + at % room, from, n);
    written.store(at + n);
    return n;
}

std::size_t ring::take(std::byte* into, std::size_t n) {
    auto const at = taken.load();
    n = std::min({n, static_cast<std::size_t>(written.load() - at), room - at % room});
    std::memcpy(into, bytes + at % room, n);
    taken.store(at + n);
    return n;
}

bool make_segment(ncclUniqueId& id) {
    std::random_device random;
    std::snprintf(id.internal, sizeof id.internal, "/fake-nccl-%d-%08x%08x", static_cast<int>(getpid()), random(),
                  random());
    auto const file = shm_open(id.internal, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file < 0) return false;
    auto const made = ftruncate(file, sizeof(segment)) == 0;
    close(file);
    return made;
}

std::shared_ptr<segment> open_segment(ncclUniqueId const& id) {
    auto const file = shm_open(id.internal, O_RDWR, 0600);
    if (file < 0) return nullptr;
    auto* const at = mmap(nullptr, sizeof(segment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (at == MAP_FAILED) return nullptr;
    return {static_cast<segment*>(at), [](segment* all) { munmap(all, sizeof(segment)); }};
}

void unlink_segment(ncclUniqueId const& id) { shm_unlink(id.internal); }

void rest() { std::this_thread::sleep_for(std::chrono::microseconds{20}); }

} // namespace fake
