// SPDX-License-Identifier: BSL-1.0
#pragma once

// The reporter, the functions that read files, and the conversions. A file that only reports or reads can include
// <sonde/json/lines.hpp> alone: with the compiled library, that header does not need nlohmann/json.
#include <sonde/json/lines.hpp>
#include <sonde/json/values.hpp>
