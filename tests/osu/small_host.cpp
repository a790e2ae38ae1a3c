// SPDX-License-Identifier: BSL-1.0
// LD_PRELOAD: a host whose main memory is $HOST_MEMORY_PAGES pages.
#include <unistd.h>

#include <cstdlib>

extern "C" {

long __sysconf(int name); // glibc's own name of it

long sysconf(int name) noexcept {
    auto const* const pages = std::getenv("HOST_MEMORY_PAGES");
    return name == _SC_PHYS_PAGES && pages != nullptr ? std::strtol(pages, nullptr, 10) : __sysconf(name);
}

} // extern "C"
