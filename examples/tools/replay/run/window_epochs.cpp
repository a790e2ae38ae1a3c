// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/window_epochs.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <vector>

namespace tools::replay {

namespace {

std::int32_t mode_or_none(step const& s) { return s.what.mode == absent ? 0 : s.what.mode; }

/// Follow a body up to a step; false if the step is not in it.
bool follow(std::vector<step> const& body, step const& until, window_epochs& epochs) {
    for (auto const& s : body) {
        if (&s == &until) return true;
        if (!s.is_loop()) {
            epochs.add(s);
            continue;
        }
        auto inside = epochs;
        if (follow(s.body, until, inside)) {
            epochs = inside;
            return true;
        }
        epochs.add(s);
    }
    return false;
}

} // namespace

void window_epochs::add(step const& s) {
    // The epochs at the end of the second pass are those of all later ones.
    for (std::uint64_t pass = 0; pass != std::min<std::uint64_t>(s.passes, 2); ++pass)
        for (auto const& part : s.body) add(part);
    if (s.is_loop() || s.what.window < 0) return;
    auto& on = open_[s.what.window];
    if (is_one_sided(s)) operate(on, s.what.to);
    else synchronize(on, s);
}

void window_epochs::operate(window_epoch& on, distance target) {
    if (target == null_partner || on.is_locked || on.locks.count(target) != 0 || on.access.count(target) != 0) return;
    on.has_fenced_operations = true;
    is_faulty_ = is_faulty_ || !on.is_fenced;
}

void window_epochs::synchronize(window_epoch& on, step const& s) {
    auto const group = [&] { return std::set<distance>(s.counts.begin(), s.counts.end()); };
    if (s.what.to == null_partner) return; // MPI_PROC_NULL has no window to lock
    if (s.call == "Win_fence") {
        on.is_fenced = (mode_or_none(s) & no_succeed) == 0;
        on.has_fenced_operations = false;
        ++on.fences;
    } else if (s.call == "Win_lock_all") {
        on.is_locked = true;
        on.mode = mode_or_none(s);
    } else if (s.call == "Win_unlock_all") {
        on.is_locked = false;
    } else if (s.call == "Win_lock") {
        on.locks[s.what.to] = mode_or_none(s);
    } else if (s.call == "Win_unlock") {
        on.locks.erase(s.what.to);
    } else if (s.call == "Win_start") {
        on.access = group();
    } else if (s.call == "Win_complete") {
        on.access.clear();
    } else if (s.call == "Win_post") {
        on.exposure = group();
    } else if (s.call == "Win_wait" || s.call == "Win_test") {
        on.exposure.clear();
    }
}

window_epochs epochs_before(program const& of, step const& first) {
    window_epochs found;
    follow(of.body, first, found);
    return found;
}

} // namespace tools::replay
