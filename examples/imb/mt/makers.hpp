// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rows.hpp"

#include <cstddef>

namespace imb::mt {

// What rows make of one size on one instance.

// Messages from rank to rank.
work ping_pong(instance const& on, std::size_t bytes);
work ping_ping(instance const& on, std::size_t bytes);
work send_recv(instance const& on, std::size_t bytes);
work exchange(instance const& on, std::size_t bytes);
work uni_band(instance const& on, std::size_t bytes);
work bi_band(instance const& on, std::size_t bytes);

// Collectives of each thread's ranks.
work barrier_of_all(instance const& on, std::size_t);
work bcast(instance const& on, std::size_t bytes);
work reduce(instance const& on, std::size_t bytes);
work all_reduce(instance const& on, std::size_t bytes);

} // namespace imb::mt
