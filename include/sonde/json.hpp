// SPDX-License-Identifier: BSL-1.0
#pragma once

// The reporter and the conversions. <sonde/json/read.hpp> reads files. A file that only reports can include
// <sonde/json/lines.hpp> alone: with the compiled library, that header does not need nlohmann/json.
#include <sonde/json/lines.hpp>
#include <sonde/json/values.hpp>
