// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>

#include <functional>
#include <utility>

namespace common {

/// What takes records, and writes at the end what it has not written before: `finish` throws where that cannot be.
struct reporter {
    std::function<void(sonde::record const&)> take;
    std::function<void()> finish = [] {};

    void operator()(sonde::record const& r) const { take(r); }
};

/// One of Sonde's; copies write to the same file.
template <class Report>
reporter reporter_of(Report report) {
    if constexpr (requires { report.finish(); }) return {report, [report]() mutable { report.finish(); }};
    else return {std::move(report)};
}

} // namespace common
