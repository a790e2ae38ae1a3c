#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares what the OSU and IMB programs print, and what the tools refuse, before and after a change.

    same_output.py record BUILD FILE [FILTER]
    same_output.py compare FILE BUILD [FILTER]

`record` runs the programs of a build folder and writes their output to FILE; `compare` runs those of another build and
prints each difference. Every program runs with its help, a short run and a checked run; one program of each family with
every option of docs/osu.md or docs/imb.md, accepted and refused; every tool with its help and what it refuses. Figures
(numbers with a decimal point) are masked, since they are measurements; lines, titles, columns, sizes, counts, the text
on stderr and the exit status must be equal. FILTER is a regular expression of commands. The exit status is 1 if there is a difference.
"""
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

OSU_QUICK = "-m 1:64 -i 4 -x 1"
# One program of each family, and the options that are tried on it beside those of all.
OSU_ALL = ["-h", "-v", "-m 4", "-m 4:16", "-m :8", "-m 16:", "-m 8:4", "-m x", "-m 0", "-m 1:2:3", "-i 0", "-i x", "-x -1", "-x 3",
           "-q", "--nothing", "-m", "extra", "H H", "H D", "D D", "M H", "H", "-u 3 -c", "-u 11", "-c", "-clog:/nowhere/x",
           "-z", "-z50,99", "-z 101", "--honest", "--until 20", "--until 0", "--budget 0.01", "--budget x", "--sync none",
           "--sync barrier", "--sync dissemination", "--sync window", "--sync x", "--report xml", "--report csv=/nowhere/x",
           "--report table=/dev/null", "-G tty", "-G x", "-T mpi_int", "-T mpi_float", "-T all", "-T x", "-D cont", "-D vect:4:2",
           "-D vect:2:4", "-D indx:/nowhere", "-D x", "-P x", "-I", "-I -h", "-d cuda", "-d managed", "-d x", "-d rocm", "-d openacc"]
OSU = {
    "osu_latency": ["-b single", "-b multiple", "-b x", "--cache warm", "--cache rotating", "--cache flushed", "--cache x",
                    "--cache rotating -c", "--staged", "-W 4"],
    "osu_bw": ["-W 4", "-W 0", "-W x", "-b multiple", "-t 3", "--cache flushed", "--cache flushed -b multiple"],
    "osu_mbw_mr": ["-V", "-V --honest", "-R 0", "-R 2", "-p 1", "-p 0", "-W 2 -V"],
    "osu_latency_mt": ["-t 2", "-t 1:2", "-t 2:2", "-t 0", "-t 1:2:3"],
    "osu_latency_mp": ["-t 2", "-t 1:2"],
    "osu_bw_persistent": ["--cache rotating", "-W 2"],
    "osu_allreduce": ["-f", "-M 100", "-M 0", "-a 3", "-l", "-l -c"],
    "osu_reduce": ["-k fixed:1", "-k rotate", "-k rotate -c", "-k fixed:9", "-k x"],
    "osu_iallgather": ["-t 3", "-f", "-r cpu", "-r gpu", "-r x", "-t 2 -f --honest"],
    "osu_bcast_persistent": ["-f"],
    "osu_barrier": ["-f"],
    "osu_neighbor_alltoall": ["-N cart:1:1", "-N cart:2:1", "-N cart:0:1", "-N graph:/nowhere", "-N x"],
    "osu_put_latency": [f"-w {w} -s {s}" for w in ("create", "allocate", "dynamic") for s in ("pscw", "fence", "lock", "flush", "flush_local", "lock_all")]
    + ["-w x", "-s x"],
    "osu_acc_latency": ["-T all -c", "-s lock -c"],
    "osu_put_bibw": ["-s flush", "-s fence", "-W 3"],
    "osu_cas_latency": ["-c", "-T mpi_float"],
    "osu_oshm_put": ["heap", "heap -c", "global", "heaps", "heap global", "heap --sync barrier", "heap -z", "heap -W 2"],
    "osu_oshm_put_overlap": ["heap -c --honest"],
    "osu_oshm_put_mr": ["heap -c", "heap -z"],
    "osu_oshm_atomics": ["heap"],
    "osu_oshm_reduce": ["-f", "-M 8", "heap"],
    "osu_xccl_allreduce": [],
    "osu_xccl_bw": ["D D", "-W 3"],
    "osu_init": [],
}
IMB_QUICK = "-iter 3 -msglog 4 -time 100 -iter_policy off"
IMB_ALL = ["-help", "-list", "-h", "-help iter", "-help nothing", "-nothing", "Nothing", "-iter", "-iter 0", "-iter 2,1,3", "-msglog 2:4", "-msglog x",
           "-msglen /nowhere", "-input /nowhere", "-include Nothing", "-exclude Nothing", "-check on", "-check x", "-report x", "-report csv=/nowhere/x",
           "-report table=/dev/null", "-thread_level multiple", "-thread_level x", "-time x", "-npmin=2", "--check on", "A,,B"]
IMB_SHARED = ["-npmin 1", "-npmin 0", "-multi 0", "-multi 1", "-multi x", "-group_start apart -multi 0", "-group_start x", "-off_cache -1", "-off_cache 1,64",
              "-off_cache x", "-iter_policy auto", "-iter_policy multiple_np", "-iter_policy x", "-time 0.000001", "-mem 0.000001", "-mem x", "-map 2x1",
              "-map 2x2", "-map 1x2", "-map x", "-aggregate_mode multi", "-aggregate_mode x", "-root_shift on", "-sync off", "-imb_barrier on", "-zero_size off",
              "-warm_up off", "-msg_pause on", "-window_size 3", "-window_size 0", "-data_type int", "-data_type x", "-red_data_type double",
              "-contig_type resize", "-contig_type base_vec -check on", "-msgsize 5,9", "-msgsize x", "-dir /nowhere", "-hint x"]
IMB = {
    "IMB-MPI1": ("PingPong Allreduce Bcast", IMB_SHARED),
    "IMB-NBC": ("Ibcast Iallreduce_pure", ["-root_shift on", "-check on -multi 0"]),
    "IMB-MPI4": ("Bcast_persist", ["-root_shift on"]),
    "IMB-EXT": ("Unidir_Put Accumulate", ["-aggregate_mode aggregate", "-aggregate_mode non_aggregate", "-check on", "-multi 0"]),
    "IMB-RMA": ("Unidir_put All_put_all", ["-aggregate_mode aggregate", "-check on", "-multi 0"]),
    "IMB-IO": ("S_Write_Indv P_Read_Priv", ["-hint a=b", "-hint x", "-dir .", "-dir /nowhere", "-check on", "-multi 0"]),
    "IMB-P2P": ("PingPong Stencil2D", ["-l", "-iter 2,1", "-msgsz 5", "-msgsz 1k", "-msgsz x", "-msgwr off", "-msgrd x", "-pause 0", "-pause x", "-MSGLOG 2"]),
    "IMB-MT": ("PingPongMT BcastMT", ["-stride 1", "-stride x", "-warmup 2", "-repeat 3", "-repeat 0", "-window_size 3", "-barrier off", "-barrier special", "-barrier x",
                                      "-count 1,2", "-count x", "-malloc_align 128", "-malloc_align 3", "-malloc_algo continuous",
                                      "-malloc_algo parallel -thread_level multiple", "-noheader", "-datatype char", "-datatype char -check on"]),
    "IMB-HALO": ("simple_halo", ["-topo 2", "-topo 1.1", "-topo 3.5", "-topo x", "-stride 1", "-stride x", "-count 1,0,5", "-window_size 3", "-barrier on",
                                 "-malloc_algo parallel", "-malloc_align 128", "-noheader", "-datatype char", "-thread_level multiple", "-help topo"]),
    "IMB-EXAMPLE": ("SyncPingPong", IMB_SHARED),
}
TOOLS = {  # what follows an option, and other command lines
    "sonde-compare": ("a b", ["", "a", "a b c", "''", "--history a", "--history --despite-differences a b", "--history --html a a b", "--effect", "-e 1 -e 2 a b"]),
    "sonde-launch": ("-- true", ["", "--out a", "-- true", "x --out a -- true", "--out"]),
    "sonde-map": ("", ["x", "--mode ring --latency 8", "--latency none --bandwidth none", "--expect latency=1 --latency none", "--samples 6 --time 3",
                       "--time 1 --budget 3", "--csv a --html a", "--nagios --per x", "--win 4"]),
    "sonde-model": ("", ["", "x"]),
    "sonde-model fit": ("a", ["", "''", "--from 2K --to 1K a", "--plot a.gif a", "--json ./a a"]),
    "sonde-model measure": ("--model hockney", ["", "x", "--start apart", "--model hockney --pairs all", "--model hockney --samples 3 --time 1"]),
    "sonde-model predict": ("--set r_inf=1GB/s --sizes 1", ["", "x", "--model hockney --processes 3", "--model multi --pairs 3"]),
    "sonde-replay": ("", ["", "x"]),
    "sonde-replay show": ("a", ["", "''", "--json ./a a"]),
    "sonde-replay run": ("a", ["", "a b", "--samples 3 --time 1 a", "--report json=./a a"]),
    "sonde-replay assess": ("a", ["", "a b", "--json ./a a"]),
    "sonde-replay hang": ("--job none", ["--job none", "none", "--interval 0"]),
    "sonde-report": ("a", ["", "''", "--json x a", "--csv ./a a", "--csv x --table x a"]),
    "sonde-tune": ("-- true", ["", "x -- true", "-- none", "--check a --out b -- true"]),
    "sonde-tune settings": ("", ["-x"]),
}
ALONE = {"-h", "-help", "-list", "-l", "Nothing", "A,,B"}
QUICK = {"IMB-P2P": "-iter 3,1 -msglog 4 -pause 0", "IMB-MT": "-repeat 3 -warmup 1", "IMB-HALO": "-repeat 3 -warmup 1"}


def commands(folder):
    """Numbers of ranks and commands, without the folder."""
    osu = sorted(p.name for p in (folder / "osu").iterdir() if re.fullmatch(r"osu_\w+", p.name) and not p.is_dir())
    for name in osu:
        yield from ((2, f"osu/{name} {options}") for options in ("-h", OSU_QUICK, OSU_QUICK + " -c"))
    for name in ("osu_mbw_mr", "osu_multi_lat", "osu_allreduce", "osu_ialltoallw", "osu_neighbor_allgather"):
        yield from ((n, f"osu/{name} {OSU_QUICK}") for n in (1, 3, 4))
    thorough = ("osu_latency", "osu_allreduce", "osu_iallgather", "osu_put_latency")
    for name, more in OSU.items():
        for o in (OSU_ALL if name in thorough else []) + more:
            yield 2, f"osu/{name} {OSU_QUICK if '-m' not in o else '-i 4 -x 1'} {o}"
    thorough = ("IMB-MPI1", "IMB-IO", "IMB-P2P", "IMB-MT", "IMB-HALO")
    for name, (tests, more) in IMB.items():
        quick = QUICK.get(name, IMB_QUICK)
        yield from ((n, f"imb/{name} {quick}") for n in (2, 3))
        for o in (IMB_ALL if name in thorough else ["-help", "-list"]) + more:
            yield 2, f"imb/{name} {o if o.split()[0] in ALONE else f'{quick} {tests} {o}'}"
    yield from ((1, f"tools/{line}") for line in tool_commands(folder))


def tool_commands(folder):
    """Each option with a value: a word, a number that is too small, nothing."""
    for name, (rest, lines) in TOOLS.items():
        yield from (f"{name} {line}" for line in ("--help", "-h", "--version", "--nothing", *lines))
        shown = subprocess.run([folder / "tools" / name.split()[0], *name.split()[1:], "--help"], capture_output=True, text=True).stdout
        yield from (f"{name} {option} {value} {rest}" for option in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+) \S+  ", shown) for value in ("x", "-1", "''"))


def masked(text, folder, command):
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"0x[0-9a-f]+", "ADDRESS", text)
    text = re.sub(r"# Date  .*", "DATE", text)
    text = re.sub(r"[\d.e+-]+\((usec|Mb/s)\)", r"~(\1)", text)
    text = re.sub(r"MFlops|performance of +\S+", "FIGURE", text)
    text = re.sub(r" *-?\d+\.\d+(?=\s|$)", lambda m: "~" * len(m.group()), text)
    text = re.sub(r"(min|max|avg): \d+ ms", r"\1: N ms", text)
    text = re.sub(r"(graph:|after|used|in) *\d+ us", r"\1 N us", text)
    text = re.sub(r"IMB_out\S*", "IMB_out", text)
    text = re.sub(r"~+", "~", re.sub(r"~ +\d+(?=~|\s|$)", "~", text)) # a rate behind figures is a whole number
    if "--honest" in command: # outliers, correlation, flags
        text = re.sub(r"[~\d -]+|timer_limited|correlated|oversubscribed", " ", text)
    if "-G" in command: # pictures
        text = "\n".join(l for l in text.splitlines() if l.startswith("#"))
    return text


def run(folder, ranks, command, work):
    program, *words = shlex.split(command)
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "2",
                                "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    try:
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), str(folder / program), *words], cwd=work, env=environment,
                              capture_output=True, text=True, timeout=60, errors="replace")
    except subprocess.TimeoutExpired:
        return ["still runs after 60 s"]
    lines = [l for l in done.stderr.splitlines() if not re.match(r"-{20,}|Primary job|a non-zero exit|the job to be|mpirun |Process name|Exit code|\s*Process|$|  Exit|.*\[\[", l)]
    return [f"exit {done.returncode}"] + ["| " + l for l in masked(done.stdout, folder, command).splitlines()] + ["! " + masked(l, folder, command) for l in sorted(lines)]


def outputs(build, wanted):
    folder = build / "examples" if (build / "examples").is_dir() else build

    def output(case):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
            return run(folder, *case, work)

    cases = [c for c in commands(folder) if re.search(wanted, c[1]) and (folder / c[1].split()[0]).exists()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, (case, found) in enumerate(zip(cases, pool.map(output, cases)), 1):
            if sys.stderr.isatty():
                print(f"\r{number}/{len(cases)}", end="", file=sys.stderr)
            yield f"-n {case[0]} {case[1]}", found


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("record", "compare"):
        sys.exit(__doc__)
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    if sys.argv[1] == "record":
        recorded = dict(outputs(pathlib.Path(sys.argv[2]).resolve(), wanted))
        pathlib.Path(sys.argv[3]).write_text(json.dumps(recorded, indent=0))
        return print(f"{len(recorded)} commands recorded")
    recorded = json.loads(pathlib.Path(sys.argv[2]).read_text())
    compared = differing = 0
    for command, after in outputs(pathlib.Path(sys.argv[3]).resolve(), wanted):
        if (before := recorded.get(command)) is None:
            continue
        compared += 1
        if before != after:
            differing += 1
            print(f"== {command}")
            print("\n".join(difflib.unified_diff(before, after, "before", "after", lineterm="", n=1)), flush=True)
    print(f"{compared} commands compared, {differing} differ")
    sys.exit(differing != 0)


main()
