#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# core.sh INCLUDE_FOLDER COMPILER...: the core, with the comparison and all formats of text, compiles with these words of
# a command line. No code is made.
set -eu
include=$1
shift
for header in sonde.hpp measure/compare.hpp report/table.hpp report/formatter.hpp report/html.hpp; do
    echo "#include <sonde/$header>"
done | "$@" -fsyntax-only -Wall -Wextra -Wpedantic -Wdeprecated -Werror -I "$include" -x c++ -
