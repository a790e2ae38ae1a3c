// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/monitor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tools::replay {

/// The calls of one thread as scopes of a monitor, by their names.
class monitored_calls {
public:
    /// `names`: of all calls.
    monitored_calls(sonde::scope_table& table, std::span<char const* const> names)
        : table_{&table}, names_{names}, scopes_(names.size()) {}

    // By the thread.

    void begin(std::int32_t call, double now) {
        under_way_ = scope_of(call);
        if (under_way_ != nullptr) under_way_->enter(now);
    }
    /// The call that began last is over.
    void end(double began, double now) {
        if (under_way_ != nullptr) under_way_->leave(began, now);
    }

private:
    /// Null if the table has no room for it.
    sonde::live_scope* scope_of(std::int32_t call) {
        auto& known = scopes_[static_cast<std::size_t>(call)];
        if (!known) known = table_->add(names_[static_cast<std::size_t>(call)], 0);
        return *known;
    }

    sonde::scope_table* table_;
    std::span<char const* const> names_;
    std::vector<std::optional<sonde::live_scope*>> scopes_; // by call, since its first one
    sonde::live_scope* under_way_ = nullptr;
};

} // namespace tools::replay
