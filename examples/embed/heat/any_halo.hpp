// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "collective_halo.hpp"
#include "derived_halo.hpp"
#include "packed_halo.hpp"

#include <variant>
#include <vector>

namespace heat {

/// One of the implementations of the halo exchange, which fills the ghosts of a field: `h.exchange(u)`, `h.name`.
using any_halo = std::variant<packed_halo, collective_halo, derived_halo>;

inline std::vector<any_halo> all_halos(decomposition const& part, field& u) {
    std::vector<any_halo> all;
    all.emplace_back(packed_halo{part, u});
    all.emplace_back(collective_halo{part, u});
    all.emplace_back(derived_halo{part, u});
    return all;
}

inline char const* name(any_halo const& way) {
    return std::visit([](auto const& h) { return h.name; }, way);
}

} // namespace heat
