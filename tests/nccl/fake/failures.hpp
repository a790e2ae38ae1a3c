// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fail.hpp"

#include <string>

namespace fake {

/// The planned error of the next call of this function, returned once.
ncclResult_t planned_nccl_failure(std::string const& call);

/// Returns `code`, and stores the reason for ncclGetLastError; an error caused by another rank keeps the earlier
/// reason.
ncclResult_t refuse(ncclResult_t code, std::string const& note);

} // namespace fake
