#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing, builds, and measures on this machine: a solver's own halo exchange, then MPI's latency.
set -eu
cd "$(dirname "$0")/.."
scripts/install.sh g++ meson ninja-build pkg-config python3 libopenmpi-dev openmpi-bin \
    libboost-mpi-dev libboost-program-options-dev nlohmann-json3-dev

scripts/configure.sh build --buildtype=release -Dmpi_package=ompi-cxx
# With two jobs: a file that includes Boost takes more memory than small machines have a core for.
ninja -C build -j2 examples/embed/heat examples/osu/osu_latency >build/demo.log </dev/null || {
    cat build/demo.log
    exit 1
}

ranks=2
[ "$(nproc)" -lt 4 ] || ranks=4
echo "== heat equation on $ranks ranks: three ways to exchange its halo"
build/mpi_run -n $ranks build/examples/embed/heat
echo "== osu_latency"
build/mpi_run -n 2 build/examples/osu/osu_latency
