// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_request.hpp"

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/report/progress.hpp>

#include <cstddef>
#include <functional>

namespace tools::model {

/// What takes the records, so many of them: a table on stdout, the file that is asked for, and on a terminal how far
/// it is. Throws std::runtime_error where the file holds something, std::system_error where it
/// cannot be written.
sonde::progress_line<std::function<void(sonde::record const&)>>
open_reports(measure_request const& asked, sonde::environment const& where, std::size_t records);

} // namespace tools::model
