// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Objects that are in no other ledger.
namespace nth_call {

struct objects {
    long files = 0; // opened and not closed
    long error_handlers = 0;
};

objects& left();

} // namespace nth_call
