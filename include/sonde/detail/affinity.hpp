// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/hash.hpp>
#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// The processors on which the operating system lets a process run, and whether processes share too few. Hardware
// threads count as processors.

namespace sonde::inline v0_1::detail {

/// Set of processors: processor i is bit i % 64 of word i / 64.
using processor_set = std::vector<std::uint64_t>;

/// The processors of this thread's binding. Empty if Linux does not report it. On other systems, all processors that
/// are online.
processor_set allowed_processors();

std::size_t number_of(processor_set const& set);

/// True if the processes of a host, with these bindings, share too few processors: more processes than processors lie
/// within one of the bindings, or within the union of all bindings. All bindings have the same number of words. An
/// empty binding is unknown and does not count.
bool is_oversubscribed(std::vector<processor_set> bindings);

/// Name of this boot of the kernel, equal for all processes on its processors; empty on systems other than Linux.
std::string boot_name();

/// Name of this host, by gethostname; "unknown" if the system does not tell it.
std::string system_host_name();

/// Name of this process's host: the answer of `group.host_name()` if the group knows it, else of the system.
std::string host_name_of(auto const& group) {
    auto name = group_hook::host_name(group);
    return name.empty() ? detail::system_host_name() : name;
}

/// Number of this process's host, equal for processes on the processors of one kernel. On Linux it is a hash of the
/// boot's name, because two hosts may have the same name. The host's name is added if the group knows it or the boot
/// has no name.
std::uint64_t host_number(auto const& group) {
    auto name = boot_name() + group_hook::host_name(group);
    return fnv_1a(name.empty() ? detail::system_host_name() : name);
}

/// True on all ranks if the ranks of the group on some host share too few processors. Each rank gives its `host_number`
/// and its binding. Collective over the group: a reduction, a gather and a broadcast.
bool is_oversubscribed(group_ref const& group, std::uint64_t host, processor_set binding);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <bit>
#include <cerrno>
#include <cstdio>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE processor_set allowed_processors() {
#ifdef __linux__
    // A cpu_set_t has 1,024 processors. Linux refuses (EINVAL) a set that is smaller than the machine may need.
    for (std::size_t sets = 1; sets <= 1024; sets *= 2) {
        std::vector<cpu_set_t> allowed(sets);
        auto const bytes = sets * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, allowed.data()) == 0) {
            processor_set found(bytes / 8);
            for (std::size_t i = 0; i != 8 * bytes; ++i)
                if (CPU_ISSET_S(i, bytes, allowed.data())) found[i / 64] |= std::uint64_t{1} << i % 64;
            return found;
        }
        if (errno != EINVAL) break;
    }
    return {};
#else
    auto const online = sysconf(_SC_NPROCESSORS_ONLN);
    processor_set all(online > 0 ? static_cast<std::size_t>(online) / 64 + 1 : 0);
    for (std::size_t i = 0; i != static_cast<std::size_t>(all.empty() ? 0 : online); ++i)
        all[i / 64] |= std::uint64_t{1} << i % 64;
    return all;
#endif
}

SONDE_INLINE std::size_t number_of(processor_set const& set) {
    std::size_t n = 0;
    for (auto const word : set) n += static_cast<std::size_t>(std::popcount(word));
    return n;
}

/// True if all processors of `inner` are in `outer`. Both have the same number of words.
SONDE_INLINE bool is_within(processor_set const& inner, processor_set const& outer) {
    for (std::size_t i = 0; i != inner.size(); ++i)
        if ((inner[i] & ~outer[i]) != 0) return false;
    return true;
}

/// The sets in ascending order.
SONDE_INLINE std::vector<processor_set const*> in_order(std::vector<processor_set> const& sets) {
    std::vector<processor_set const*> all;
    for (auto const& set : sets) all.push_back(&set);
    return sorted(std::move(all), [](processor_set const* x, processor_set const* y) { return *x < *y; });
}

SONDE_INLINE bool is_oversubscribed(std::vector<processor_set> bindings) {
    std::erase_if(bindings, [](processor_set const& b) { return number_of(b) == 0; });
    if (bindings.empty()) return false;
    processor_set all(bindings.front().size());
    for (auto const& b : bindings)
        for (std::size_t i = 0; i != all.size(); ++i) all[i] |= b[i];
    auto const is_crowded = [&](processor_set const& shared) {
        std::size_t within = 0;
        for (auto const& b : bindings) within += is_within(b, shared);
        return within > number_of(shared);
    };
    if (is_crowded(all)) return true;
    auto const order = in_order(bindings); // equal bindings become neighbors, and are judged once
    for (std::size_t i = 0; i != order.size(); ++i)
        if ((i == 0 || *order[i] != *order[i - 1]) && is_crowded(*order[i])) return true;
    return false;
}

SONDE_INLINE std::string boot_name() {
    char name[64]{};
    if (auto* const file = std::fopen("/proc/sys/kernel/random/boot_id", "r"); file != nullptr) {
        if (std::fgets(name, sizeof name, file) == nullptr) name[0] = 0;
        std::fclose(file);
    }
    return {name, std::strcspn(name, "\n")};
}

SONDE_INLINE std::string system_host_name() {
    char name[256] = "unknown";
    gethostname(name, sizeof name - 1);
    return name;
}

/// True if the processes of some host share too few processors. `all` has `words` words of each process: the number of
/// its host, and its binding.
SONDE_INLINE bool is_some_host_oversubscribed(std::vector<std::uint64_t> const& all, std::size_t words) {
    std::vector<processor_set> rows;
    auto const end = static_cast<std::ptrdiff_t>(words);
    for (auto row = all.begin(); row != all.end(); row += end) rows.emplace_back(row, row + end);
    auto const order = in_order(rows); // rows of one host become neighbors
    std::vector<processor_set> of_host;
    for (std::size_t i = 0; i != order.size(); ++i) {
        auto const& row = *order[i];
        of_host.emplace_back(row.begin() + 1, row.end());
        auto const is_last = i + 1 == order.size() || order[i + 1]->front() != row.front();
        if (is_last && is_oversubscribed(std::exchange(of_host, {}))) return true;
    }
    return false;
}

SONDE_INLINE bool is_oversubscribed(group_ref const& group, std::uint64_t host, processor_set binding) {
    while (!binding.empty() && binding.back() == 0) binding.pop_back();
    double words[1] = {static_cast<double>(binding.size())};
    group.all_reduce(words, reduction::max);
    binding.resize(static_cast<std::size_t>(words[0]));
    binding.insert(binding.begin(), host);
    auto const of_ranks = sonde::gather(group, binding);
    bool crowded = of_ranks && is_some_host_oversubscribed(*of_ranks, binding.size());
    sonde::broadcast(group, crowded);
    return crowded;
}

} // namespace sonde::detail

#endif
