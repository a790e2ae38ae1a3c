#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# archive.sh MPI_FOLDER [BUILD_FOLDER]
#
# Makes sonde-VERSION-mpi-abi-MACHINE.tar.gz in the current folder: the OSU and IMB programs, the tools and the recorder
# for each MPI library with the standard ABI of MPI 5.0. MPI_FOLDER has include/mpi_abi.h and lib/libmpi_abi.so, as MPICH
# 5 and Intel MPI have them; BUILD_FOLDER (build-archive) is kept for the next time. The programs need nothing but
# libmpi_abi.so.1 and a C library as new as this system's, or a little older: README of the archive has its version.
set -eu
case ${1:---help} in
-h | --help)
    sed -n '3,/^set/{s/^# \{0,1\}//;/^set/!p;}' "$0"
    [ $# -gt 0 ] && exit 0 || exit 2
    ;;
esac
case $#,$1 in
*,-* | [!12],*)
    echo "usage: scripts/archive.sh MPI_FOLDER [BUILD_FOLDER], not: scripts/archive.sh $*" >&2
    exit 2
    ;;
esac
[ -d "$1" ] || {
    echo "archive.sh: there is no folder $1" >&2
    exit 2
}
mpi=$(cd "$1" && pwd)
build=$(mkdir -p "${2:-build-archive}" && cd "${2:-build-archive}" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
here=$(pwd)
name=sonde-$("$source/scripts/version.sh")-mpi-abi-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$source/scripts/configure.sh" "$build" --buildtype=release -Dprefix=/ -Dlibdir=lib -Dlibexecdir=libexec -Dprefer_static=true \
    '-Dcpp_link_args=-static-libstdc++ -static-libgcc' -Dmpi=enabled -Dmpi_package=abi "-Dmpi_prefix=$mpi" \
    -Dboost=enabled -Djson=enabled -Dexamples=enabled -Dinstall_tools=enabled -Dinstall_suites=enabled -Dinstall_headers=false \
    -Dtests=disabled -Dc=disabled -Dfortran=disabled -Dpython=disabled -Djava=disabled -Dcuda=disabled -Dhip=disabled \
    -Dnccl=disabled -Doneccl=disabled -Dopenacc=disabled -Dshmem=disabled -Dupc=disabled -Dupcxx=disabled
DESTDIR=$work/$name meson install -C "$build" --strip --quiet
cp "$source/LICENSE" "$work/$name/"

"$source/packaging/archive/needed.py" --only libmpi_abi.so.1 "$work/$name" >"$work/glibc"
sed "s/@GLIBC@/$(cat "$work/glibc")/" "$source/packaging/archive/README" >"$work/$name/README"
tar -C "$work" --owner=0 --group=0 --numeric-owner --sort=name -czf "$here/$name.tar.gz" "$name"
echo "$name.tar.gz: glibc $(cat "$work/glibc") or later"
