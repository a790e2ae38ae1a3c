// SPDX-License-Identifier: BSL-1.0
#include "suite/memory.hpp"

#include "suite/device.hpp"
#include "suite/refusal.hpp"

namespace suite {

memory_functions const& functions_of(memory_kind kind) {
    static constexpr auto host = functions_for<sonde::host_memory>;
    if (kind == memory_kind::host) return host;
    if constexpr (has_cuda()) return cuda_functions_of(kind);
    else throw refusal{"CUDA is not built in; accepted: buffers in host memory"};
}

} // namespace suite
