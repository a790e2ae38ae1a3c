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
# logged COMMAND [ARGUMENT...]: its output is in the file log, and is shown if it fails.
logged() {
    "$@" >log 2>&1 || {
        cat log
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
    logged meson setup --prefix "$place/installed" -Dexamples=disabled built "$root"
    equal 'commands before an installation' "$(ninja -C built -t commands all)" ''
    logged meson install -C built
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

# build_by_cmake PROGRAM CMAKE_ARGUMENT...: builds and runs the application and this program.
build_by_cmake() {
    program=$1
    shift
    logged command cmake -G Ninja -S app -B cmake_built "$@"
    equal 'version of CMake' "$(sed -n 's/^-- found sonde //p' log)" "$SONDE_VERSION"
    logged ninja -C cmake_built app "$program"
    right cmake_built/app
    right "cmake_built/$program"
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
    logged command cmake -S "$root" -B by_cmake -DCMAKE_INSTALL_PREFIX="$place/by_cmake_installed"
    logged command cmake --install by_cmake
    sed "s|$place/by_cmake_installed|$place/installed|" by_cmake_installed/share/pkgconfig/sonde.pc | diff -u installed/share/pkgconfig/sonde.pc -
    diff -r -u -x sonde.pc installed by_cmake_installed # both build systems install the same
    by_cmake_with_programs
    folders_of_packagers
    mv installed moved # an installed tree works at any path
    build_by_cmake compiled_app -DCMAKE_PREFIX_PATH="$place/moved"
    logged command cmake --build cmake_built # with MPI
    refused_without_mpi "sonde::mpi: $no_mpi" -DCMAKE_PREFIX_PATH="$place/moved" -DSONDE_BY=component
    refused_without_mpi "MPI::MPI_CXX ($no_mpi)" -DCMAKE_PREFIX_PATH="$place/moved" -DWITH_MPI=ON
    built_with json nlohmann/json.hpp
    refused_component boost_mpi 'sonde::boost_mpi: CMake finds no Boost.MPI' -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
    refused_component cmake 'sonde::cmake: there is no such component; the components are mpi;c;fortran;boost_mpi;'
}

# found_in PREFIX DATA: CMake and pkg-config find the headers of an installation, with these folders.
found_in() {
    project sonde 'sonde REQUIRED' sonde/version.hpp
    built "-Dsonde_DIR=$2/cmake/sonde"
    flags=$(PKG_CONFIG_PATH="$2/pkgconfig" pkg-config --cflags sonde)
    equal 'the flags of pkg-config' "${flags% }" "-I$(printf '%s' "$1/headers" | sed 's/ /\\ /g')"
}

# Folders of packagers: a prefix with a space, headers or data outside it, a prefix that is given when CMake installs.
folders_of_packagers() {
    need pkg-config
    logged meson setup --prefix "$place/of meson" --includedir headers --datadir "$place/data of meson" -Dexamples=disabled odd "$root"
    logged meson install -C odd
    found_in "$place/of meson" "$place/data of meson"
    logged command cmake -S "$root" -B odd_by_cmake -DCMAKE_INSTALL_PREFIX="$place/of cmake" "-DCMAKE_INSTALL_INCLUDEDIR=$place/of cmake/headers"
    logged command cmake --install odd_by_cmake
    found_in "$place/of cmake" "$place/of cmake/share"
    logged command cmake -S "$root" -B odd_by_cmake -DCMAKE_INSTALL_INCLUDEDIR=headers
    logged command cmake --install odd_by_cmake --prefix "$place/later"
    found_in "$place/later" "$place/later/share"
}

# With programs, CMake calls Meson for everything. Here it compiles none: the tests of the installation do.
by_cmake_with_programs() {
    logged command cmake -S "$root" -B with_programs -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBEXECDIR=lib/sonde -DSONDE_PROGRAMS=ON \
        '-DSONDE_MESON_OPTIONS=-Dexamples=disabled;-Dinstall_suites=disabled'
    equal 'options of Meson' "$(option prefix libexecdir buildtype install_tools install_suites)" '/usr lib/sonde release enabled disabled'
    logged command cmake --build with_programs
    logged env DESTDIR="$place/staged" cmake --install with_programs --prefix /opt
    sed 's|^prefix=/opt$|prefix='"$place/installed|" staged/opt/share/pkgconfig/sonde.pc | diff -u installed/share/pkgconfig/sonde.pc -
    diff -r -u -x sonde.pc installed staged/opt
}
option() {
    meson introspect --buildoptions with_programs/programs | python3 -c "
import json, sys
known = {o['name']: o['value'] for o in json.load(sys.stdin)}
print(*[known[name] for name in sys.argv[1:]])" "$@"
}

# project TARGET ARGUMENTS HEADER...: a project that finds a package with these arguments, links sonde::TARGET and
# includes the headers.
project() {
    target=$1 arguments=$2
    shift 2
    rm -rf component component_built
    mkdir component
    { printf '#include <%s>\n' "$@" && echo 'int main() {}'; } >component/main.cpp
    printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(component CXX)' "find_package($arguments)" \
        'add_executable(component main.cpp)' "target_link_libraries(component PRIVATE sonde::$target)" >component/CMakeLists.txt
}
# built CMAKE_ARGUMENT...: configures and builds it.
built() {
    logged command cmake -G Ninja -S component -B component_built "$@"
    logged command cmake --build component_built
}
component_project() {
    project "$1" "sonde 0.1 REQUIRED COMPONENTS $1" "sonde/$1.hpp" "$2"
}
built_with() {
    component_project "$@"
    built -DCMAKE_PREFIX_PATH="$place/moved"
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

# Uses the repository itself in place of a clone. The targets are those of an installation, but for `drawing`.
fetch_content() {
    need cmake
    need ninja
    build_by_cmake drawing_app -DSONDE_BY=fetch -DFETCHCONTENT_SOURCE_DIR_SONDE="$root"
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
    printf '[wrap-file]\ndirectory = sonde\n\n[provide]\ndependency_names = sonde, sonde-mpi, sonde-compiled, sonde-drawing\n' >app/subprojects/sonde.wrap
    mpi_package=
    pkg-config --exists mpich && mpi_package=mpich
    logged meson setup guest app --prefix "$place/parent" -Dsonde:mpi_package=$mpi_package
    equal 'version of Meson' "$(sed -n 's/.*found sonde \(.*\) as internal$/\1/p' log)" "$SONDE_VERSION"
    [ -z "$mpi_package" ] || equal 'the MPI library that the parent chose' "$(introspect dependencies name)" "mpich threads"
    logged meson compile -C guest
    right guest/app
    right guest/compiled_app
    right guest/drawing_app
    equal 'targets, without the libraries that are built where they are used' \
        "$(introspect targets name | sed 's/ *\<sonde\(-mpi\|-drawing\)\?\>//g')" ' app compiled_app drawing_app'
    equal tests "$(introspect tests name)" app
    equal 'warnings of Sonde in the parent' "$(grep -c Wconversion guest/compile_commands.json)" 0
    wrap_mode=$(meson introspect --buildoptions guest | python3 -c "
import json, sys
print(*[o['value'] for o in json.load(sys.stdin) if o['name'] == 'wrap_mode'])")
    equal 'wrap_mode of the parent' "$wrap_mode" default
    logged meson install -C guest
    equal 'files installed with the parent' "$(cd parent && find . -type f)" ./bin/app
}

"$1"
