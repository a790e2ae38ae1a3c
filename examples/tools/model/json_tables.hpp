// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tables.hpp"

#include <string>

namespace tools::model {

/// The records of a file of JSON lines (`sonde::json_lines`, `sonde-launch`), those of a name and a number of pairs in
/// a table; typical times. Throws std::runtime_error as `sonde::read_launches` does, and for a record without times or
/// with wrong data.
tables_read read_json_tables(std::string const& path);

} // namespace tools::model
