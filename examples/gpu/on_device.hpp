// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runtime.hpp"

#include <cstdio>
#include <exception>

namespace gpu {

/// Exit status of a program: 0 if f() is true, 1 if it is false or throws, 77 if there is no device.
template <class F>
int on_device(F f) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // so that the rows before a time-out are shown
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
