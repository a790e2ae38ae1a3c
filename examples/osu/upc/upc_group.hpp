// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/upc/upc_operations.h"

#include <sonde/group.hpp>
#include <sonde/memory/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

namespace osu::upc {

/// A block of `bytes` bytes of the shared heap on each thread, until the program ends. The constructor is collective
/// over the threads. Throws std::bad_alloc, on all threads.
class shared_blocks {
public:
    explicit shared_blocks(std::size_t bytes) : number_{osu_upc_allocate(bytes)}, bytes_{bytes} {
        if (number_ < 0) throw std::bad_alloc{};
    }

    /// For the functions of upc_operations.h.
    int number() const { return number_; }
    /// The block of this thread.
    sonde::region local() const { return {static_cast<std::byte*>(osu_upc_local(number_)), bytes_}; }

private:
    int number_;
    std::size_t bytes_;
};

/// The threads of UPC as ranks that measure together. The constructor is collective over them, and throws
/// std::bad_alloc, on all threads.
class group {
public:
    int rank() const { return osu_upc_thread(); }
    int size() const { return osu_upc_threads(); }
    void barrier() const { osu_upc_barrier(); }
    /// Every rank gathers the values of all ranks and reduces them in the order of the ranks, so that all ranks get the
    /// same bits.
    void all_reduce(std::span<double> values, sonde::reduction how) const {
        for (; values.size() > at_a_time; values = values.subspan(at_a_time)) reduce(values.first(at_a_time), how);
        if (!values.empty()) reduce(values, how);
    }

    /// Bytes of the shared heap that the group of a number of threads has on each of them.
    static constexpr std::size_t heap_bytes(std::size_t threads) { return (1 + threads) * at_a_time * sizeof(double); }

private:
    static constexpr std::size_t at_a_time = 256;

    void reduce(std::span<double> values, sonde::reduction how) const {
        auto const n = values.size();
        std::copy(values.begin(), values.end(), static_cast<double*>(osu_upc_local(mine_.number())));
        osu_upc_all_gather_all(all_.number(), mine_.number(), n * sizeof(double));
        auto const* const all = static_cast<double const*>(osu_upc_local(all_.number()));
        for (std::size_t i = 0; i != n; ++i) {
            values[i] = all[i];
            for (std::size_t other = 1; other != static_cast<std::size_t>(size()); ++other)
                values[i] = combine(values[i], all[other * n + i], how);
        }
    }
    static double combine(double a, double b, sonde::reduction how) {
        if (how == sonde::reduction::sum) return a + b;
        return how == sonde::reduction::min ? std::min(a, b) : std::max(a, b);
    }

    shared_blocks mine_{at_a_time * sizeof(double)};
    shared_blocks all_{static_cast<std::size_t>(size()) * at_a_time * sizeof(double)};
};

} // namespace osu::upc
