// SPDX-License-Identifier: BSL-1.0

// A copy of 4 KiB with warm caches, from rotating buffers, and with flushed caches.

#include "limit.hpp"

#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync.hpp>

#include <cstdio>
#include <cstring>

namespace {

constexpr std::size_t bytes = 4096;

template <class Buffer>
auto copying(Buffer from, Buffer to) {
    return [from, to]() mutable {
        std::memcpy(to.next().data(), from.next().data(), bytes);
        asm volatile("" ::: "memory"); // keeps the compiler from removing the copy
    };
}

template <class Plan, class Pattern>
sonde::record copies(Plan const& plan, sonde::cache how, Pattern copy) {
    sonde::single_rank alone;
    return sonde::run(alone, plan, copy, {"copy", {{"bytes", bytes}, cache_parameter(how)}});
}

/// Adds a row of the table: the median and its ratio to the first row.
void show(sonde::record const& r, sonde::record const& warm, sonde::table& into) {
    into(r);
    std::printf("%s over warm: %.2f\n", r.point.parameters[1].text.c_str(), sonde::median(r) / sonde::median(warm));
}

} // namespace

int main() {
    sonde::host_allocation out{sonde::host_allocation::cold_bytes(bytes)}, in{out.bytes().size()};
    out.fill(std::byte{1}); // touches the pages, so that the first use does not wait for the system
    in.fill(std::byte{2});
    auto const plan = sonde::plan<>{}.until(sonde::samples{301}).synchronized(sonde::barrier_each{});
    sonde::eviction evict;
    auto const cold = plan.synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict});
    sonde::table table{stdout};
    auto const warm = copies(plan, sonde::cache::warm, copying(out.first(bytes), in.first(bytes)));
    show(warm, warm, table);
    show(copies(plan, sonde::cache::rotate, copying(out.cold(bytes), in.cold(bytes))), warm, table);
    auto const flushed = copies(cold, sonde::cache::flush, copying(out.first(bytes), in.first(bytes)));
    show(flushed, warm, table);
    return report("a warm copy's time over a flushed one's", sonde::median(warm) / sonde::median(flushed), 0.5);
}
