// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <string>

namespace sonde::inline v0_1 {

/// An exchange's scope in the running application, with times that are sums over all passes and ranks. In a comparison
/// the ranks begin together, so its speed-ups hold for the transfer, and no speed-up wins back the waiting.
struct application_scope {
    std::string name;   // of the scope
    seconds transfer{}; // time in its passes after the last partner has entered
    seconds waiting{};  // time in its passes until then
    seconds loop{};     // time in the enclosing scope, such as the loop over steps
};

/// Share of the loop's time that a faster exchange saves at most, if its transfer has this share of the loop:
/// transfer_share (1 - 1 / speedup). Negative for a slower exchange; 0 for a speed-up that is not known (0).
[[nodiscard]] inline double gain_in_application(double speedup, double transfer_share) {
    return speedup > 0 ? transfer_share * (1 - 1 / speedup) : 0;
}

} // namespace sonde
