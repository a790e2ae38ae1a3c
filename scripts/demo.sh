#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing, builds, and measures on this machine: a solver's own halo exchange, then MPI's latency.
set -eu
cd "$(dirname "$0")/.."
echo '== 1/4 packages'
scripts/install.sh g++ meson ninja-build pkg-config python3 libopenmpi-dev openmpi-bin \
    libboost-program-options-dev nlohmann-json3-dev gnuplot-nox

echo '== 2/4 build'
scripts/configure.sh build --buildtype=release -Dmpi_package=ompi-cxx -Dexamples=enabled -Dmpi=enabled -Dboost=enabled -Djson=enabled
# With two jobs: a file that includes Boost takes more memory than small machines have a core for.
scripts/progress.py 'building two programs' build/demo.log ninja -C build -j2 heat osu_latency

mpirun=$(command -v mpirun.openmpi || echo mpirun)
ranks=2
[ "$(nproc)" -lt 4 ] || ranks=4
echo "== 3/4 heat equation on $ranks ranks: three ways to exchange its halo"
scripts/start.sh "$mpirun" $ranks build/examples/embed/heat
echo '== 4/4 osu_latency'
page=build/osu_latency.html
scripts/start.sh "$mpirun" 2 build/examples/osu/osu_latency --report html=$page

cat <<END
== page with figures of osu_latency's samples, quantiles and ranks: $page
== next (as root, in a container, with more ranks than cores: docs/mpi_libraries.md#starting-programs)
mpirun -n 2 build/examples/osu/osu_latency --until 1 --honest   rows that end at 1 % precision, and all estimators
mpirun -n 2 build/examples/embed/heat --help                    what the solver can be asked
ninja -C build tutorial_first                                   a program of docs/tutorial.md; any other by its name
ninja -C build suites                                           all OSU and IMB programs, in a minute or two
ninja -C build programs                                         those, the tutorial and the tools
scripts/test.sh                                                 the tests that most changes need; --all: all tests
END
