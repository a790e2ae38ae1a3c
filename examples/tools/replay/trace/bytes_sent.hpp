// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstddef>

namespace tools::replay {

/// Bytes that a rank gives to a call, by its arguments, none of which is invalid: of a message, or for all partners of
/// a collective. `in`: the communicator; `neighbors`: the destinations of its topology.
double bytes_sent(step const& s, program const& of, communicator const& in, std::size_t neighbors);

} // namespace tools::replay
