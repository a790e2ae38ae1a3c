#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing, builds with two compilers, against two MPI libraries and with three sanitizers, and runs the
# tests in each build. The last line sums them up: `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
scripts/install.sh g++ clang clang-format-16 meson ninja-build pkg-config cmake git python3 libopenmpi-dev openmpi-bin \
    libmpich-dev mpich libboost-mpi-dev libboost-program-options-dev doctest-dev nlohmann-json3-dev gnuplot-nox \
    valgrind util-linux || {
    echo '0 passed, 1 failed, 0 skipped'
    exit 1
}

# run FOLDER 'CONFIGURATION' [TEST_OPTION...]: what is tested is built, and no more.
folders=
run() {
    folder=$1 configuration=$2
    shift 2
    folders="$folders $folder"
    echo "== $folder: $configuration"
    begin=$(date +%s)
    rm -f "$folder/meson-logs/testlog.json"
    scripts/configure.sh "$folder" --werror $configuration &&
        $unrandomized meson test -C "$folder" --quiet --timeout-multiplier 3 "$@" </dev/null |
        grep -E '^ *[0-9]+/[0-9]+.*(FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS)|FAILED:|error:|warning:'
    echo "   $(($(date +%s) - begin)) s"
}

# ThreadSanitizer cannot place its shadow memory where a kernel spreads addresses over more bits than it knew.
unrandomized=
thread_sanitizer_runs() {
    probe=$(mktemp)
    echo 'int main() {}' | g++ -fsanitize=thread -x c++ -o "$probe" - && { "$probe" || {
        unrandomized='setarch -R'
        $unrandomized "$probe"
    }; } >/dev/null 2>&1
}

export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1

export CXX=g++
run build '--buildtype=release -Dmpi_package=ompi-cxx'
run build-asan '-Dmpi_package=ompi-cxx -Db_sanitize=address,undefined' --suite unit --suite mpi --suite osu-sanitized
run build-mpich '-Dmpi_package=mpich' --suite mpi --suite headers
export CXX=clang++
run build-clang '-Dmpi_package=ompi-cxx' --no-suite consumer --no-suite docs
export CXX=g++
if thread_sanitizer_runs; then
    run build-tsan '-Dmpi=disabled -Db_sanitize=thread' --suite unit
else
    echo 'build-tsan: skipped: ThreadSanitizer does not run on this kernel'
fi

scripts/tally.py $folders
