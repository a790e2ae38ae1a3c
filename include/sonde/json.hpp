// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything that writes JSON, and the conversions. <sonde/json/read.hpp> reads files. A file that only reports
// includes <sonde/json/lines.hpp>: with the compiled library, that needs no header of nlohmann/json.
#include <sonde/json/lines.hpp>
#include <sonde/json/values.hpp>
