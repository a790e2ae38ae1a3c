// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fail.hpp"

#include <string>

namespace fake {

/// What the next call of this function is to fail with, once.
ncclResult_t planned_nccl_failure(std::string const& call);

/// Gives `code`, and notes for ncclGetLastError why; what is of another's making leaves there what was noted before.
ncclResult_t refuse(ncclResult_t code, std::string const& note);

} // namespace fake
