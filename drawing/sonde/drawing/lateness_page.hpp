// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>

#include <string>

namespace sonde::inline v0_1 {

/// A page for `draw` with two bars for each rank: the time that it waited, and the waiting of all ranks that it caused,
/// both as shares of the ranks' time. Of more than 32 ranks it shows the 32 with the largest sums of both. Throws
/// std::invalid_argument for a record without steps.
[[nodiscard]] std::string lateness_page(std::string const& title, lateness_record const& found);

} // namespace sonde
