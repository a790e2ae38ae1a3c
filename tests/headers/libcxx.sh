#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# libcxx.sh CLANG INCLUDE_FOLDER: the core compiles with libc++. No code is made. Status 77 if libc++ is not installed.
set -eu

compile() {
    echo "#include <$1>" | "$clang" -std=c++20 -stdlib=libc++ -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$include" -x c++ -
}

clang=$1 include=$2
if ! compile chrono 2> /dev/null; then
    echo "libc++ is not installed (Debian: libc++-dev)"
    exit 77
fi
compile sonde/sonde.hpp
