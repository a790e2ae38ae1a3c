// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "control.hpp"

#include <memory>

namespace fake {

bool virtual_time();

/// Time is real again.
void use_real_time();

/// The end of an operation: known when it is carried out (virtual time), or once it is.
class mark {
public:
    void set(long long at);
    bool passed() const;  ///< has it come, for the host?
    long long at() const; ///< when; waits until that is known
    void wait() const;    ///< the host comes there

private:
    bool known_ = false;
    long long at_ = 0;
};
using mark_ptr = std::shared_ptr<mark>;

} // namespace fake
