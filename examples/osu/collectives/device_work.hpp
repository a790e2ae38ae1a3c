// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "burn.hpp"

#include <sonde/overlap.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace osu {

/// Are there kernels? Without them no other function of this header is called.
bool has_kernels();

/// Work of a device, beside which the host does something: a sonde::Work whose type is gone.
class device_work {
public:
    /// Any Work that can be told how long to last.
    template <class W>
    explicit device_work(std::shared_ptr<W> work)
        : last_{[=](sonde::seconds target) { work->set_duration(target); }},
          perform_{[=](std::function<bool()> const& test) { (*work)(test); }} {}

    void set_duration(sonde::seconds target) { last_(target); }
    template <class Test>
    void operator()(Test&& test) {
        perform_(std::ref(test)); // nothing is allocated for a reference
    }

private:
    std::function<void(sonde::seconds)> last_;
    std::function<void(std::function<bool()> const&)> perform_;
};

// A kernel that spins for as long as it is told; the host beside it: so many tests, OMB's work, or a spin.
device_work kernel_beside(std::size_t tests);
device_work kernel_beside(burn<> host);
device_work kernel_beside(sonde::calibrated_work<> host);

} // namespace osu
