// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <sched.h>

#include <cstddef>

/// This rank on the first processor of rank 0, or where it was, until the end of the object. The constructor is
/// collective over the group.
class processor_binding {
public:
    processor_binding(auto& ranks, bool to_one) {
        sched_getaffinity(0, sizeof before_, &before_);
        std::size_t first = 0;
        while (!CPU_ISSET(first, &before_)) ++first;
        sonde::broadcast(ranks, first);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        if (to_one) sched_setaffinity(0, sizeof one, &one);
    }
    processor_binding(processor_binding const&) = delete;
    ~processor_binding() { sched_setaffinity(0, sizeof before_, &before_); }
    /// Number of processors of any rank. Collective.
    int processors(auto& ranks) const {
        cpu_set_t all;
        CPU_ZERO(&all);
        for (auto const& of_rank : sonde::all_gather(ranks, before_)) CPU_OR(&all, &all, &of_rank);
        return CPU_COUNT(&all);
    }

private:
    cpu_set_t before_{};
};
