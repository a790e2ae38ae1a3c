// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/overlap.hpp>
#include <sonde/record.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace osu {

/// What a row shows: a record; of a non-blocking collective that of communication and work together, and what it was
/// found from: beside OMB's work, and with `--honest` beside a calibrated spin, too.
struct finding {
    sonde::record record;
    std::optional<sonde::overlap_records> overlapped;
    std::optional<sonde::overlap_records> spun;

    finding(sonde::record found) : record{std::move(found)} {}
    finding(sonde::overlap_records beside_work, std::optional<sonde::overlap_records> beside_spin)
        : record{beside_work.both}, overlapped{std::move(beside_work)}, spun{std::move(beside_spin)} {}

    /// All records, for reports.
    std::vector<sonde::record> records() const {
        if (!overlapped) return {record};
        std::vector<sonde::record> all;
        for (auto const* const parts : {&overlapped, &spun})
            if (*parts) all.insert(all.end(), {(*parts)->communication, (*parts)->work, (*parts)->both});
        return all;
    }
};

} // namespace osu
