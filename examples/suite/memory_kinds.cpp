// SPDX-License-Identifier: BSL-1.0
// The table of memory kinds of both suites.
#include "suite/memory_kinds.hpp"

#include "suite/memory.hpp"

#include <algorithm>

namespace suite {

std::span<memory_row const> memory_table() {
    using enum memory_kind;
    static constexpr memory_row rows[] = {
        {.kind = host,
         .functions = &functions_for<sonde::host_memory>,
         .allocation_word = "cpu",
         .place = "H",
         .label = "HOST",
         .help = "host memory"},
        {.kind = device, .api = device_api::cuda, .word = "cuda"},
        {.kind = device,
         .api = default_api,
         .allocation_word = "device",
         .place = "D",
         .label = "DEVICE",
         .help = "device memory"},
        {.kind = pinned_host, .word = "pinned", .allocation_word = "host"},
        {.kind = managed,
         .word = "managed",
         .allocation_word = "shared",
         .place = "M",
         .label = "MANAGED",
         .help = "managed memory"},
        {.kind = managed_host, .place = "MH", .label = "MANAGED", .help = "managed memory, used by the host"},
        {.kind = managed_device, .place = "MD", .label = "MANAGED", .help = "managed memory, used by the device"},
        {.kind = device, .api = device_api::rocm, .word = "rocm"},
        {.kind = device, .api = device_api::openacc, .word = "openacc"}};
    return rows;
}

namespace {

template <class P>
memory_row const* first_row(P wanted) {
    auto const rows = memory_table();
    auto const found = std::find_if(rows.begin(), rows.end(), wanted);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

memory_row const* row_of(memory_kind kind, std::string_view memory_row::*column) {
    return first_row([=](memory_row const& r) { return r.kind == kind && !(r.*column).empty(); });
}

memory_functions const* host_functions_of(memory_kind kind) {
    return first_row([=](memory_row const& r) { return r.kind == kind; })->functions;
}

} // namespace suite
