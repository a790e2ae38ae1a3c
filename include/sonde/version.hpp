// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of Sonde, defined only here: the build files read it from this line. The numbers say the same, which a
/// test checks.
#define SONDE_VERSION "0.1.0"
#define SONDE_VERSION_MAJOR 0
#define SONDE_VERSION_MINOR 1
#define SONDE_VERSION_PATCH 0
/// The version as a number to compare: `#if SONDE_VERSION_NUMBER >= 10203` is 1.2.3 or later.
#define SONDE_VERSION_NUMBER (SONDE_VERSION_MAJOR * 10000 + SONDE_VERSION_MINOR * 100 + SONDE_VERSION_PATCH)
// All names are in the inline namespace sonde::v0_1, major and minor, so that libraries with different versions of
// Sonde can be linked into one program.

// Every header includes this one before any other. An include that fails ends the compilation at once, so that the
// #error is not followed by hundreds of other messages.
#if __cplusplus <= 201703L
#error "Sonde needs C++20: compile with -std=c++20 or later"
#include "the error above says what is missing"
#elif !defined(__cpp_exceptions)
#error "Sonde needs exceptions: compile without -fno-exceptions"
#include "the error above says what is missing"
#endif

// Non-template functions of more than a few lines are defined at the end of their header. By default they are inline.
// If all files of a program define SONDE_COMPILED, they are compiled once, in <sonde/compiled.cpp> and
// <sonde/mpi/compiled.cpp>.
#ifdef SONDE_COMPILED
#define SONDE_DEFINITIONS 0
#define SONDE_INLINE
#else
#define SONDE_DEFINITIONS 1
#define SONDE_INLINE inline
#endif
