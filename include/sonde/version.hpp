// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of Sonde; the one place where it stands (meson.build reads it from here).
#define SONDE_VERSION "0.1.0"

// Every header includes this one before anything else. An include that fails ends the compilation at once, behind the
// one message that matters.
#if __cplusplus <= 201703L
#error "Sonde needs C++20: compile with -std=c++20 or later"
#include "the error above says what is missing"
#elif !defined(__cpp_exceptions)
#error "Sonde needs exceptions: compile without -fno-exceptions"
#include "the error above says what is missing"
#endif
