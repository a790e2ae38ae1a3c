// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/prefetch.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/group.hpp>
#include <sonde/sync.hpp>

#include <cuda_runtime_api.h>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::cuda {

/// Managed memory, and where its pages are to be.
struct pages {
    opaque_region bytes;
    location where;
};

/// Puts managed memory where it is to be, and waits until it is there:
/// `placing{stream, {{out.bytes(), location::device}}}`.
///
/// Inside the sample, before each iteration: `sonde::before{placing, pattern}`; outside: `placed`.
class placing {
public:
    placing(cudaStream_t on, std::vector<pages> all) : stream_{on}, all_{std::move(all)} {}

    void operator()() const {
        for (auto const& p : all_) prefetch(p.bytes, p.where, stream_);
        synchronize(stream_);
    }

private:
    cudaStream_t stream_;
    std::vector<pages> all_;
};

/// Managed memory is put where it is to be, then ranks brought together by another synchronizer, before each iteration
/// of the warm-up and before each sample: no rank's placing is within a sample, if that synchronizer brings ranks
/// together before each (`barrier_each`, `dissemination`, `clock_window`; on one rank `no_sync`). In a batch only the
/// first iteration would find it there: a plan refuses batches.
template <class Sync>
class placed {
    static_assert(!std::same_as<Sync, barrier_once>, "ranks would place while others are in their samples");

public:
    placed(Sync synchronize, placing place) : synchronize_{std::move(synchronize)}, place_{std::move(place)} {}

    template <Group G>
        requires Synchronizer<Sync, G>
    void operator()(G& group, std::size_t i) {
        place_();
        synchronize_(group, i);
    }
    auto* window()
        requires requires(Sync& s) { s.window(); }
    {
        return synchronize_.window();
    }
    bool allows_batches() const { return false; }

private:
    Sync synchronize_;
    placing place_;
};

} // namespace sonde::cuda
