// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/table_scanner.hpp"

#include <memory>

namespace tools {

std::unique_ptr<table_scanner> nccl_tests_scanner(scanned& to);

} // namespace tools
