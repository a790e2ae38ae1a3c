#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# core.sh INCLUDE_FOLDER COMPILER...: the core, with the comparison and all formats of text, compiles with these words of
# a command line. No code is made. Status 77 if the standard library of these words is not installed, such as libc++.
set -eu
include=$1
shift
echo '#include <chrono>' | "$@" -fsyntax-only -x c++ - 2>/dev/null || {
    echo "no standard library for $*"
    exit 77
}
for header in sonde.hpp measure/compare.hpp report/table.hpp report/formatter.hpp report/csv.hpp report/openmetrics.hpp; do
    echo "#include <sonde/$header>"
done | "$@" -fsyntax-only -Wall -Wextra -Wpedantic -Wdeprecated -Werror -I "$include" -x c++ -
