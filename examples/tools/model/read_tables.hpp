// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"

#include <string>

namespace tools::model {

/// What a file holds, be it of JSON lines, or text of the OSU Micro-Benchmarks or the Intel MPI Benchmarks. Throws
/// std::runtime_error, with the path, for what is none of them, or holds nothing that a model is fitted to.
tables_read read_tables(std::string const& path);

} // namespace tools::model
