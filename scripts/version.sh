#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Prints the version of Sonde, which stands in one place.
sed -n 's/^#define SONDE_VERSION "\(.*\)"$/\1/p' "$(dirname "$0")/../include/sonde/version.hpp"
