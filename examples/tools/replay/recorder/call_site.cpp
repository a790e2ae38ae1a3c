// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/call_site.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>

namespace tools::replay {

namespace {

/// The name of the file that an address is in.
std::string file_of(Dl_info const& place) {
    std::string const path = place.dli_fname;
    auto const name = path.substr(path.rfind('/') + 1);
    if constexpr (is_simulated) {
        Dl_info program{};
        dladdr(reinterpret_cast<void*>(&next_function), &program);
        if (program.dli_fbase == place.dli_fbase) return program_of_copy(name);
    }
    return name;
}

std::string text_of_frame(void const* return_address) {
    Dl_info place{};
    if (dladdr(return_address, &place) == 0 || place.dli_fname == nullptr) return "?";
    auto const distance =
        reinterpret_cast<std::uintptr_t>(return_address) - reinterpret_cast<std::uintptr_t>(place.dli_fbase);
    char offset[32]; // in the call, which the return address follows
    std::snprintf(offset, sizeof offset, "+0x%zx", static_cast<std::size_t>(distance) - 1);
    return file_of(place) + offset;
}

struct frame_search {
    void const* innermost;
    std::span<void const*> into;
    std::size_t found = 0;
};

/// Functions of this library are above the innermost one.
_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* of) {
    auto& search = *static_cast<frame_search*>(of);
    auto const* const address = reinterpret_cast<void const*>(_Unwind_GetIP(frame));
    if (search.found == 0 && address != search.innermost) return _URC_NO_REASON;
    search.into[search.found++] = address;
    return search.found == search.into.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

} // namespace

std::span<void const* const> frames_from(void const* innermost, std::span<void const*> into) {
    frame_search search{innermost, into};
    if (into.size() > 1) _Unwind_Backtrace(visit_frame, &search);
    if (search.found == 0) into[search.found++] = innermost;
    return into.first(search.found);
}

std::string site_text(std::span<void const* const> return_addresses) {
    std::string text;
    for (auto const* const address : return_addresses) text += (text.empty() ? "" : " from ") + text_of_frame(address);
    return text;
}

} // namespace tools::replay
