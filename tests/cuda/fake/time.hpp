// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "control.hpp"

#include <memory>

namespace fake {

bool virtual_time();

/// Restores real time.
void use_real_time();

/// The end of an operation: known when it is executed (virtual time), or once it is complete.
class mark {
public:
    void set(long long at);
    bool passed() const;  ///< true if it has passed for the host
    long long at() const; ///< its time; waits until that is known
    void wait() const;    ///< advances the host to it

private:
    bool known_ = false;
    long long at_ = 0;
};
using mark_ptr = std::shared_ptr<mark>;

} // namespace fake
