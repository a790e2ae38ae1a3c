// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../options.hpp"

#include <sonde/mpi/group.hpp>

#include <string>

namespace imb::io {

/// Looks, on every rank, at the directory of the files: is it one, may files be made there, is none of ours there
/// yet? Throws common::refusal on all ranks. Then, for benchmarks with overlap, lets every rank find the rate of the
/// work beside accesses, and answers what the header says of it. Collective.
std::string prepare(options const& asked, bool overlaps, sonde::mpi::group const& world);

} // namespace imb::io
