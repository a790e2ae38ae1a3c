// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of Sonde; the one place where it stands (meson.build reads it from here).
#define SONDE_VERSION "0.1.0"
