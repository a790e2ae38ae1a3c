#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# smoke_test.sh PREFIX [PART...]
#
# Tries what is installed below PREFIX, in less than a minute, and fails with the first part that does not work:
#   headers   pkg-config and CMake find them, and an application that includes them measures an exchange of two ranks
#   tools     each says its version, and sonde-compare reads a log
#   suites    osu_latency and IMB-MPI1 measure on two ranks
# Without a part, all three. MPICXX is the compiler (mpicxx), MPIRUN the launcher with its options (mpirun), PKG_CONFIG
# as usual. The folders are those that Sonde has by default; others are in PKG_CONFIG_PATH and CMAKE_PREFIX_PATH.
set -eu
[ $# != 0 ] || {
    echo 'usage: smoke_test.sh PREFIX [headers | tools | suites]...' >&2
    exit 2
}
case $1 in
/*) prefix=$1 ;;
*) prefix=$PWD/$1 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
shift
compiler=${MPICXX:-mpicxx} launcher=${MPIRUN:-mpirun} pkg_config=${PKG_CONFIG:-pkg-config}
export PKG_CONFIG_PATH="$prefix/share/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
export CMAKE_PREFIX_PATH="$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# works NAME COMMAND...: its output is shown where it fails, and is in the file said.
works() {
    name=$1
    shift
    "$@" >said 2>&1 || {
        cat said
        echo "failed: $name: $*"
        exit 1
    }
    echo "works: $name"
}

# says NAME PATTERN: the command of `works` before said it.
says() {
    grep -Eq "$2" said || {
        cat said
        echo "failed: $1 does not say $2"
        exit 1
    }
}

# shellcheck disable=SC2046,SC2086 # the launcher, the compiler, pkg-config and its flags are several words
headers() {
    works 'pkg-config' $pkg_config --cflags sonde
    works 'an application by pkg-config' $compiler -std=c++20 $(cat said) "$here/app.cpp" -o by_pkg_config -pthread
    works 'its measurement' $launcher -n 2 ./by_pkg_config
    says 'its measurement' '^sonde [0-9.]+: [0-9]+ samples on 2 ranks$'
    works 'CMake' cmake -S "$here" -B built "-DMPI_CXX_COMPILER=$(command -v $compiler)"
    works 'an application by CMake' cmake --build built
    works 'its measurement' $launcher -n 2 built/app
    says 'its measurement' '^sonde [0-9.]+: [0-9]+ samples on 2 ranks$'
}

tools() {
    for tool in "$prefix"/bin/sonde-*; do
        works "${tool##*/}" "$tool" --version
        says "${tool##*/}" "^${tool##*/} \(Sonde\) [0-9.]+$"
    done
    printf '# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)\n8  0.46\n16  0.47\n' >log
    works 'a comparison' "$prefix/bin/sonde-compare" log log
    says 'a comparison' '^2 rows: 0 slower'
}

# shellcheck disable=SC2086
suites() {
    works osu_latency $launcher -n 2 "$prefix/bin/osu_latency" -m 8:16 -i 100 -x 10
    says osu_latency '^16 +[0-9.]+$'
    works IMB-MPI1 $launcher -n 2 "$prefix/bin/IMB-MPI1" -iter 100 -msglog 3:4 PingPong
    says IMB-MPI1 '^ +16 +100 +[0-9.]+'
}

[ $# != 0 ] || set -- headers tools suites
for part; do
    case $part in
    headers | tools | suites) $part ;;
    *) echo "smoke_test.sh: no part $part; the parts are headers, tools and suites" >&2 && exit 2 ;;
    esac
done
