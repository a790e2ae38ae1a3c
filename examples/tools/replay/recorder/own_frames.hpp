// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/simulated.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>

namespace tools::replay {

namespace detail {

/// A walk up the stack: first functions of this library, then others, then perhaps one of this library again.
struct stack_walk {
    void const* library = nullptr;
    bool is_outside = false, is_inside_again = false;
};

inline _Unwind_Reason_Code take_frame(_Unwind_Context* frame, void* argument) {
    auto& walk = *static_cast<stack_walk*>(argument);
    Dl_info place{};
    auto const address = static_cast<std::uintptr_t>(_Unwind_GetIP(frame));
    auto const is_known = dladdr(reinterpret_cast<void const*>(address), &place) != 0;
    auto const is_own = is_known && place.dli_fbase == walk.library;
    walk.is_inside_again = is_own && walk.is_outside;
    walk.is_outside = walk.is_outside || !is_own;
    return walk.is_inside_again ? _URC_END_OF_STACK : _URC_NO_REASON;
}

} // namespace detail

/// True if a function of this library that MPI or the application called is under way on this thread, beside the one
/// that asks. Takes a microsecond or more.
inline bool is_inside_own_function() {
    if constexpr (is_simulated) return true; // the stacks of ranks are SimGrid's
    Dl_info own{};
    dladdr(reinterpret_cast<void const*>(&detail::take_frame), &own);
    detail::stack_walk walk{.library = own.dli_fbase};
    _Unwind_Backtrace(detail::take_frame, &walk);
    return walk.is_inside_again;
}

} // namespace tools::replay
