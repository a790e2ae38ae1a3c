#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# gpu.sh [BUILD_FOLDER [MESON_OPTION...]]
#
# On a machine with a GPU: configures, builds and runs what needs one, and writes BUILD_FOLDER/report.txt (build-gpu).
# Needs a CUDA toolkit or ROCm, a C++ compiler, Meson and ninja; ROCm is taken where rocm-smi is and nvidia-smi is not.
# Parts that need more (MPI, Boost, NCCL or RCCL, doctest) are skipped and reported if it is not found. Exit status: 0 if
# all parts that ran passed, 77 if there is no GPU.
set -u
cd "$(dirname "$0")/.."
folder=${1:-build-gpu}
[ $# -eq 0 ] || shift
mkdir -p "$folder"
report=$folder/report.txt
: >"$report"
passed=0 failed=0 left_out=

say() { printf '\n%s\n' "$*" | tee -a "$report"; }

# tell COMMAND...: its output goes to the report, where the command is there.
tell() {
    command -v "$1" >/dev/null || return 0
    timeout 60 "$@" 2>&1 </dev/null | tee -a "$report"
}

# Two ranks on one device: what NCCL or RCCL says then is no failure.
alone='CCL needs a device for each rank'

# try NAME COMMAND...: runs it, not longer than ten minutes; its output goes to the report, its status counts.
try() {
    name=$1
    shift
    say "== $name"
    timeout 600 "$@" >"$folder/output.txt" 2>&1 </dev/null
    status=$?
    tee -a "$report" <"$folder/output.txt"
    [ $status -eq 0 ] || ! grep -q "$alone" "$folder/output.txt" || status=77
    case $status in
    0) passed=$((passed + 1)) ;;
    77) left_out="$left_out
  $name: $(grep "$alone" "$folder/output.txt" || tail -n 1 "$folder/output.txt")" ;;
    *) failed=$((failed + 1)) && say "failed: $name (status $status)" ;;
    esac
}

# program NAME PATH ARGUMENT...: tries what was built at that path, on its own.
program() {
    name=$1 path=$2
    shift 2
    if [ -x "$folder/$path" ]; then try "$name" "$folder/$path" "$@"; else left_out="$left_out
  $name: not built"; fi
}

# on_two_ranks NAME PATH ARGUMENT...
on_two_ranks() {
    name=$1 path=$2
    shift 2
    if [ -x "$folder/$path" ]; then try "$name, 2 ranks" scripts/start.sh "$launcher" 2 "$folder/$path" "$@"
    else left_out="$left_out
  $name: not built"; fi
}

# osu PROGRAM ARGUMENT...: a short run.
osu() {
    name="$*" path=examples/osu/$1
    shift
    on_two_ranks "$name" "$path" -i 200 -x 20 -m 8:1048576 "$@"
}

runtime=cuda
command -v nvidia-smi >/dev/null || ! command -v rocm-smi >/dev/null || runtime=hip

# With doctest also the tests; without it programs alone.
tests=disabled
echo '#include <doctest/doctest.h>' | ${CXX:-c++} -std=c++20 -fsyntax-only -x c++ - 2>/dev/null && tests=enabled

say "Sonde $(scripts/version.sh), $(date -u '+%Y-%m-%d %H:%M UTC')"
tell uname -srm
tell nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
tell nvidia-smi topo -m
tell rocm-smi --showproductname --showdriverversion --showmeminfo vram
tell rocm-smi --showtopo
tell ${CXX:-c++} --version

scripts/configure.sh "$folder" --buildtype=release --wrap-mode=nofallback -D$runtime=enabled -Dtests=$tests "$@" || exit 1
say "$(sed -n '/^ *User defined/q; /^ *CUDA *:/p; /^ *HIP *:/p; /^ *NCCL *:/p; /^ *RCCL *:/p; /^ *MPI *:/p' "$folder/meson-logs/meson-log.txt")"
launcher=$(sed -n 's/^ *MPI *: .* started by //p' "$folder/meson-logs/meson-log.txt" | tail -n 1)
scripts/progress.py "building $folder" "$folder/compile.log" ninja -C "$folder" gpu_programs || exit 1

program 'memory: what is written is read' examples/gpu/gpu_memories
[ $failed -eq 0 ] && [ $passed -eq 0 ] && { # no device: nothing else could say anything
    say "nothing was run:$left_out"
    exit 77
}
program 'the event clock beside the host clock' examples/gpu/gpu_clocks
program 'copies by hand and by Sonde' examples/gpu/gpu_copies
program 'a copy beside a kernel' examples/gpu/gpu_overlap
program 'staged by hand and by Sonde, one process' examples/gpu/gpu_staged
program 'NCCL or RCCL with one rank' examples/gpu/gpu_nccl
on_two_ranks 'device buffers' examples/tutorial/tutorial_device
on_two_ranks 'staged by hand and by Sonde' examples/gpu/bench_staged_cuda
for messages in osu_latency osu_bw; do
    osu $messages -c D D --staged
    osu $messages -c MD MD
done
osu osu_iallreduce -c -d managed -r gpu
osu osu_xccl_allreduce -c
if [ $tests = enabled ]; then try 'tests without a device' meson test -C "$folder" --suite $runtime --print-errorlogs
else left_out="$left_out
  tests without a device: doctest is not found"; fi

say "$passed passed, $failed failed${left_out:+; left out:$left_out}"
[ $failed -eq 0 ]
