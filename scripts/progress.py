#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""progress.py STAGE LOG COMMAND [ARGUMENT...]

Runs a command with its output in the file LOG, and shows how far apt, ninja or `meson test` has come: counts and elapsed
time, on a terminal in one line that is rewritten, elsewhere in a line every 30 s. Test failures are named at once. The
exit status is the command's; after a failure the errors in its output follow, unless tests ran (tally.py names those).
"""
import os
import re
import select
import shutil
import subprocess
import sys
import time

BUILD = re.compile(r"\[(\d+)/(\d+)\] (.*)")
TEST = re.compile(r" *(\d+)/(\d+) (.*?) +(OK|SKIP|EXPECTEDFAIL|FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\b")
APT = {"Get:": "fetched", "Unpacking ": "unpacked", "Setting up ": "set up"}
PASSED = {"OK", "SKIP", "EXPECTEDFAIL"}
SHOWN = 60  # lines of an error


class Progress:
    def __init__(self, stage):
        self.stage = stage
        self.began = self.reported = time.monotonic()
        self.terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.counts = {}  # verb: (done, total)
        self.verb = self.item = ""
        self.packages = self.failed = 0
        self.said = []  # lines that count nothing

    def read(self, line):
        if match := BUILD.match(line):
            self.count("built", int(match[1]), int(match[2]), match[3])
        elif match := TEST.match(line):
            self.count("tested", int(match[1]), int(match[2]), match[3])
            if match[4] not in PASSED:
                self.failed += 1
                self.print(f"{self.stage}: {match[4]}: {match[3]}")
        elif not self.read_apt(line):
            self.said.append(line)

    def read_apt(self, line):
        if match := re.match(r"(\d+) upgraded, (\d+) newly installed", line):
            self.packages = int(match[1]) + int(match[2])
        verb = next((verb for start, verb in APT.items() if line.startswith(start)), None)
        if verb and self.packages:
            done = self.counts.get(verb, (0, 0))[0] + 1
            self.count(verb, min(done, self.packages), self.packages, line.split(" (")[0])
        return verb

    def count(self, verb, done, total, item):
        self.counts[verb] = done, total
        self.verb, self.item = verb, item

    def line(self, verbs):
        parts = [f"{verb} {self.counts[verb][0]}/{self.counts[verb][1]}" for verb in verbs]
        parts += [f"{self.failed} failed"] if self.failed else []
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        return f"{self.stage}: " + ", ".join(parts + [f"{minutes}:{seconds:02}"])

    def tick(self):
        now = time.monotonic()
        if self.terminal:
            text = f"{self.line([self.verb] if self.verb else [])}  {self.item}"
            sys.stdout.write("\r" + text[: shutil.get_terminal_size().columns - 1] + "\x1b[K")
            sys.stdout.flush()
        elif now - self.reported >= 30:
            self.reported = now
            self.print(self.line([self.verb] if self.verb else []))

    def print(self, text):
        print("\r\x1b[K" + text if self.terminal else text, flush=True)

    def end(self, status):
        tested = "tested" in self.counts
        self.print(self.line(self.counts) + (f", failed with status {status}" if status and not tested else ""))
        if status and not tested:
            first = next((i for i, line in enumerate(self.said) if line.startswith("FAILED: ")), -SHOWN)
            for line in self.said[first:][:SHOWN]:
                print(line, flush=True)


def follow(process, log, progress):
    pending = b""
    while True:
        if select.select([process.stdout], [], [], 1.0)[0]:
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                return
            log.write(data)
            log.flush()
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                progress.read(line.decode(errors="replace").rstrip())
        progress.tick()


def main(stage, path, *command):
    progress = Progress(stage)
    environment = os.environ | {"NINJA_STATUS": "[%f/%t] ", "PYTHONUNBUFFERED": "1"}
    with open(path, "wb") as log, subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    ) as process:
        try:
            follow(process, log, progress)
        except KeyboardInterrupt:
            process.wait()
            return 130
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode  # of a signal, as in a shell
    progress.end(status)
    return status


sys.exit(main(*sys.argv[1:]))
