#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# consume.sh pkg_config|cmake|fetch_content|subproject
#
# Builds and runs the application of this folder with Sonde found in that way.
# CXX: the compiler. SONDE_VERSION: the version that every way must report.
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
says() {
    tr -s '\n ' ' ' <log | grep -Fq "$1" || {
        cat log
        echo "not said: $1"
        exit 1
    }
}

# Installs Sonde as docs/install.md describes, without compiling.
install_sonde() {
    meson setup --prefix "$place/installed" -Dexamples=disabled built "$root" >log || { cat log; exit 1; }
    equal 'commands before an installation' "$(ninja -C built -t commands all)" ''
    meson install -C built >log
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
    $CXX -std=c++20 -DSONDE_COMPILED $(pkg-config --cflags sonde) app/main.cpp app/work.cpp installed/include/sonde/compiled.cpp -o compiled_app
    right ./compiled_app
}

# build_by_cmake CMAKE_ARGUMENT...
build_by_cmake() {
    command cmake -G Ninja -S app -B cmake_built "$@" >log 2>&1 || { cat log; exit 1; }
    equal 'version of CMake' "$(sed -n 's/^-- found sonde //p' log)" "$SONDE_VERSION"
    command cmake --build cmake_built >log 2>&1 || { cat log; exit 1; }
    right cmake_built/app
    right cmake_built/compiled_app
}

# refused_without_mpi REASON CMAKE_ARGUMENT...
refused_without_mpi() {
    reason=$1
    shift
    rm -rf refused
    ! command cmake -G Ninja -S app -B refused -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON "$@" >log 2>&1 || {
        echo "configured without MPI: $*"
        exit 1
    }
    says "$reason"
}

no_mpi='CMake finds no MPI library for C++: install one, or set MPI_CXX_COMPILER to its compiler'
cmake() {
    need cmake
    need ninja
    install_sonde
    command cmake -S "$root" -B by_cmake -DCMAKE_INSTALL_PREFIX="$place/by_cmake_installed" >log && command cmake --install by_cmake >>log
    sed "s|$place/by_cmake_installed|$place/installed|" by_cmake_installed/share/pkgconfig/sonde.pc | diff -u installed/share/pkgconfig/sonde.pc -
    diff -r -u -x sonde.pc installed by_cmake_installed # both build systems install the same
    by_cmake_with_programs
    folders_of_packagers
    mv installed moved # an installed tree works at any path
    build_by_cmake -DCMAKE_PREFIX_PATH="$place/moved"
    refused_without_mpi "sonde::mpi: $no_mpi" -DCMAKE_PREFIX_PATH="$place/moved" -DSONDE_BY=component
    refused_without_mpi "MPI::MPI_CXX ($no_mpi)" -DCMAKE_PREFIX_PATH="$place/moved" -DWITH_MPI=ON
    built_with json nlohmann/json.hpp
    refused_component boost_mpi 'sonde::boost_mpi: CMake finds no Boost.MPI' -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
    refused_component cmake 'sonde::cmake: there is no such component; the components are mpi;c;fortran;boost_mpi;'
}

# found_in PREFIX DATA: CMake and pkg-config find the headers of an installation, with these folders.
found_in() {
    rm -rf finder finder_built
    mkdir finder
    printf '#include <sonde/version.hpp>\nint main() {}\n' >finder/main.cpp
    printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(finder CXX)' 'find_package(sonde REQUIRED)' \
        'add_executable(finder main.cpp)' 'target_link_libraries(finder PRIVATE sonde::sonde)' >finder/CMakeLists.txt
    { command cmake -S finder -B finder_built "-Dsonde_DIR=$2/cmake/sonde" && command cmake --build finder_built; } >log 2>&1 || { cat log; exit 1; }
    flags=$(PKG_CONFIG_PATH="$2/pkgconfig" pkg-config --cflags sonde)
    equal 'the flags of pkg-config' "${flags% }" "-I$(printf '%s' "$1/headers" | sed 's/ /\\ /g')"
}

# Folders of packagers: a prefix with a space, headers or data outside it, a prefix that is given when CMake installs.
folders_of_packagers() {
    need pkg-config
    { meson setup --prefix "$place/of meson" --includedir headers --datadir "$place/data of meson" -Dexamples=disabled odd "$root" &&
        meson install -C odd; } >log || { cat log; exit 1; }
    found_in "$place/of meson" "$place/data of meson"
    command cmake -S "$root" -B odd_by_cmake -DCMAKE_INSTALL_PREFIX="$place/of cmake" "-DCMAKE_INSTALL_INCLUDEDIR=$place/of cmake/headers" >log &&
        command cmake --install odd_by_cmake >>log || { cat log; exit 1; }
    found_in "$place/of cmake" "$place/of cmake/share"
    command cmake -S "$root" -B odd_by_cmake -DCMAKE_INSTALL_INCLUDEDIR=headers >log && command cmake --install odd_by_cmake --prefix "$place/later" >>log
    found_in "$place/later" "$place/later/share"
}

# With programs, CMake calls Meson for everything. Here it compiles none: the tests of the installation do.
by_cmake_with_programs() {
    command cmake -S "$root" -B with_programs -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBEXECDIR=lib/sonde -DSONDE_PROGRAMS=ON \
        '-DSONDE_MESON_OPTIONS=-Dexamples=disabled;-Dinstall_suites=disabled' >log 2>&1 || { cat log; exit 1; }
    equal 'options of Meson' "$(option prefix libexecdir buildtype install_tools install_suites)" '/usr lib/sonde release enabled disabled'
    command cmake --build with_programs >log 2>&1 || { cat log; exit 1; }
    DESTDIR="$place/staged" command cmake --install with_programs --prefix /opt >log 2>&1 || { cat log; exit 1; }
    sed 's|^prefix=/opt$|prefix='"$place/installed|" staged/opt/share/pkgconfig/sonde.pc | diff -u installed/share/pkgconfig/sonde.pc -
    diff -r -u -x sonde.pc installed staged/opt
}
option() {
    meson introspect --buildoptions with_programs/programs | python3 -c "
import json, sys
known = {o['name']: o['value'] for o in json.load(sys.stdin)}
print(*[known[name] for name in sys.argv[1:]])" "$@"
}

# component_project NAME HEADER: a project that links sonde::NAME and includes the header.
component_project() {
    rm -rf component component_built
    mkdir component
    printf '#include <sonde/%s.hpp>\n#include <%s>\nint main() {}\n' "$1" "$2" >component/main.cpp
    printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(component CXX)' "find_package(sonde 0.1 REQUIRED COMPONENTS $1)" \
        'add_executable(component main.cpp)' "target_link_libraries(component PRIVATE sonde::$1)" >component/CMakeLists.txt
}
built_with() {
    component_project "$@"
    command cmake -G Ninja -S component -B component_built -DCMAKE_PREFIX_PATH="$place/moved" >log 2>&1 || { cat log; exit 1; }
    command cmake --build component_built >log 2>&1 || { cat log; exit 1; }
}
refused_component() {
    component_project "$1" cstddef
    reason=$2
    shift 2
    ! command cmake -G Ninja -S component -B component_built -DCMAKE_PREFIX_PATH="$place/moved" "$@" >log 2>&1 || {
        echo "configured: $reason"
        exit 1
    }
    says "$reason"
}

# Uses the repository itself in place of a clone.
fetch_content() {
    need cmake
    need ninja
    build_by_cmake -DSONDE_BY=fetch -DFETCHCONTENT_SOURCE_DIR_SONDE="$root"
    refused_without_mpi "MPI::MPI_CXX ($no_mpi)" -DSONDE_BY=fetch -DFETCHCONTENT_SOURCE_DIR_SONDE="$root" -DWITH_MPI=ON
}

# introspect WHAT KEY: prints this key of each element.
introspect() {
    meson introspect "--$1" guest | python3 -c "import json, sys; print(*[thing['$2'] for thing in json.load(sys.stdin)])"
}

# Builds, tests and installs only the targets of Sonde that the parent project requested.
subproject() {
    mkdir app/subprojects
    ln -s "$root" app/subprojects/sonde
    printf '[wrap-file]\ndirectory = sonde\n\n[provide]\ndependency_names = sonde, sonde-mpi, sonde-compiled\n' >app/subprojects/sonde.wrap
    mpi_package=
    pkg-config --exists mpich && mpi_package=mpich
    meson setup guest app --prefix "$place/parent" -Dsonde:mpi_package=$mpi_package >log || { cat log; exit 1; }
    equal 'version of Meson' "$(sed -n 's/.*found sonde \(.*\) as internal$/\1/p' log)" "$SONDE_VERSION"
    [ -z "$mpi_package" ] || equal 'the MPI library that the parent chose' "$(introspect dependencies name)" "mpich threads"
    meson compile -C guest >log || { cat log; exit 1; }
    right guest/app
    right guest/compiled_app
    equal 'targets, without the libraries that are built where they are used' \
        "$(introspect targets name | sed 's/ *\<sonde\(-mpi\)\?\>//g')" ' app compiled_app'
    equal tests "$(introspect tests name)" app
    equal 'warnings of Sonde in the parent' "$(grep -c Wconversion guest/compile_commands.json)" 0
    wrap_mode=$(meson introspect --buildoptions guest | python3 -c "
import json, sys
print(*[o['value'] for o in json.load(sys.stdin) if o['name'] == 'wrap_mode'])")
    equal 'wrap_mode of the parent' "$wrap_mode" default
    meson install -C guest >log
    equal 'files installed with the parent' "$(cd parent && find . -type f)" ./bin/app
}

"$1"
