// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of Sonde, defined only here: meson.build reads it from this line.
#define SONDE_VERSION "0.1.0"

// Every header includes this one before any other. An include that fails ends the compilation at once, so that the
// #error is not followed by hundreds of other messages.
#if __cplusplus <= 201703L
#error "Sonde needs C++20: compile with -std=c++20 or later"
#include "the error above says what is missing"
#elif !defined(__cpp_exceptions)
#error "Sonde needs exceptions: compile without -fno-exceptions"
#include "the error above says what is missing"
#endif

// Non-template functions are defined at the end of their header. By default they are inline. If all files of a
// program define SONDE_COMPILED, they are compiled once, in <sonde/compiled.cpp> and the backends' compiled.cpp.
#ifdef SONDE_COMPILED
#define SONDE_DEFINITIONS 0
#else
#define SONDE_DEFINITIONS 1
#define SONDE_INLINE inline
#endif
