// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runtime.hpp"

#include <cstdio>
#include <exception>

namespace gpu {

/// A program's status: 0 where f() is true, 1 where it is not or throws, 77 where there is no device to run it on.
template <class F>
int on_device(F f) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was found until a time-out is seen
    try {
        static_cast<void>(native::device_count());
    } catch (native::error const& e) {
        std::printf("%s\n", e.what());
        return 77;
    }
    try {
        return f() ? 0 : 1;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}

} // namespace gpu
