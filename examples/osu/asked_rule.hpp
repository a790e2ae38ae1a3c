// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/stop.hpp>
#include <sonde/stop/relative_error.hpp>

#include <cstddef>
#include <optional>

namespace osu {

/// When a row ends: after the suite's count of samples; or as `--until`, `--budget` and `-i` beside them say, whichever
/// comes first.
class asked_rule {
public:
    asked_rule(options const& asked, std::size_t usual);

    /// For each of so many senders, who share the iterations: a part of the count, rounded up.
    asked_rule shared_by(std::size_t senders) const;

    bool uniform;
    std::size_t next(std::size_t n) const;
    sonde::verdict operator()(sonde::look const& l);

private:
    std::optional<sonde::samples> count_;
    std::optional<sonde::relative_error> precise_;
    std::optional<sonde::time_budget> budget_;
};

} // namespace osu
