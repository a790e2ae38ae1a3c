// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/at_end.hpp>
#include <sonde/report/canvas.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace sonde::detail {

/// Records that are drawn together at the end; of none there is no picture.
class collection {
public:
    /// Throws what `require_drawable` does.
    collection(canvas const& on, std::function<void(std::vector<record> const&)> draw_all)
        : end_{[this, draw_all = std::move(draw_all)] {
              if (!records_.empty()) draw_all(records_);
          }} {
        require_drawable(on);
    }

    void add(record const& r) { records_.push_back(r); }
    void finish() { end_(); }

private:
    std::vector<record> records_;
    at_end end_; // below what it draws
};

} // namespace sonde::detail
