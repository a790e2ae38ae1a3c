// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

namespace sonde {

/// Which of the messages of an exchange one initiator answers for.
enum class directions : unsigned char { both, sent };

} // namespace sonde
