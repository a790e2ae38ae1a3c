// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/prefetch.hpp>
#include <sonde/cuda/stream.hpp>

#include <cuda_runtime_api.h>

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
/// Inside the sample, before each iteration: `sonde::before{placing, pattern}`; outside, before ranks are brought
/// together: `sonde::prepared{barrier_each{}, &placing}`.
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

} // namespace sonde::cuda
