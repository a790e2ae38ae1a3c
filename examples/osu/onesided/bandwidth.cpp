// SPDX-License-Identifier: BSL-1.0
#include "measures.hpp"

namespace osu {

measured_access find_bandwidth(std::string_view name) {
    return detail::find_access(name, [](one_sided const& o) { return o.measures != pace::latency; });
}

} // namespace osu
