#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# consume.sh pkg_config|cmake|subproject
#
# Builds and runs the application of this folder as somebody who found Sonde in that way.
# CXX: the compiler. SONDE_VERSION: the version that every way must tell.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -r "$root/tests/consumer/app" "$place/app"
cd "$place"

need() {
    command -v "$1" >/dev/null || {
        echo "skipped: $1 is not installed"
        exit 77
    }
}
right() {
    said=$("$@") || { echo "$1: wrong: $said"; exit 1; }
    equal "version of $1" "${said%%:*}" "sonde $SONDE_VERSION"
}
equal() {
    [ "$2" = "$3" ] || {
        echo "$1: '$2', expected '$3'"
        exit 1
    }
}
install_sonde() {
    meson setup --prefix "$place/installed" -Dtests=disabled -Dexamples=disabled built "$root" >log || { cat log; exit 1; }
    meson install --quiet --no-rebuild -C built
    equal 'headers installed' "$(cd installed/include && find . -name '*.hpp' | sort)" \
        "$(cd "$root/include" && find . -name '*.hpp' | sort)"
}

pkg_config() {
    need pkg-config
    install_sonde
    export PKG_CONFIG_PATH="$place/installed/share/pkgconfig"
    equal 'version of pkg-config' "$(pkg-config --modversion sonde)" "$SONDE_VERSION"
    $CXX -std=c++20 $(pkg-config --cflags sonde) app/main.cpp app/work.cpp -o pkg_config_app
    right ./pkg_config_app
}

cmake() {
    need cmake
    need ninja
    install_sonde
    mv installed moved # an installed tree is found wherever it is
    command cmake -G Ninja -S app -B cmake_built -DCMAKE_PREFIX_PATH="$place/moved" >log 2>&1 || { cat log; exit 1; }
    equal 'version of CMake' "$(sed -n 's/^-- found sonde //p' log)" "$SONDE_VERSION"
    command cmake --build cmake_built >log 2>&1 || { cat log; exit 1; }
    right cmake_built/app
}

# A good guest: of the parent's project, only what the parent asked for is built, tested and installed.
subproject() {
    mkdir app/subprojects
    ln -s "$root" app/subprojects/sonde
    printf '[wrap-file]\ndirectory = sonde\n\n[provide]\ndependency_names = sonde, sonde-mpi\n' >app/subprojects/sonde.wrap
    meson setup guest app >log || { cat log; exit 1; }
    equal 'version of Meson' "$(sed -n 's/.*found sonde \(.*\) as internal$/\1/p' log)" "$SONDE_VERSION"
    meson compile -C guest >log || { cat log; exit 1; }
    right guest/app
    names='import json, sys; print(*[thing["name"] for thing in json.load(sys.stdin)])'
    equal targets "$(meson introspect --targets guest | python3 -c "$names")" app
    equal tests "$(meson introspect --tests guest | python3 -c "$names")" app
    equal 'warnings of Sonde in the parent' "$(grep -c Wconversion guest/compile_commands.json)" 0
}

"$1"
