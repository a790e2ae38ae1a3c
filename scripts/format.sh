#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# format.sh [--check]
#
# Formats all C++ of the project; with --check changes nothing, and fails where something would change. By one version
# of clang-format, because each breaks lines in its own way: without that one, the check is skipped (77).
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-16 >/dev/null || {
    echo 'skipped: clang-format-16 is not installed'
    exit 77
}
how=-i
[ "${1-}" != --check ] || how='--dry-run --Werror'
find bindings drawing examples include packaging tests -name '*.[ch]' -o -name '*.[ch]pp' | sort | xargs clang-format-16 $how
