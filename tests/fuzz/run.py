#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a fuzzer for a minute, or SECONDS, from copies of the files in a folder: run.py FUZZER FOLDER [SECONDS]"""
import os
import shutil
import subprocess
import sys
import tempfile


def main(fuzzer, folder, seconds="60"):
    with tempfile.TemporaryDirectory() as scratch:
        seeds = f"{scratch}/seeds"
        os.mkdir(seeds)
        for name in os.listdir(folder):
            if name.endswith((".txt", ".json")):
                shutil.copy(f"{folder}/{name}", seeds)
        # A file that fails stays in the folder from which the fuzzer is run, and is printed. The fuzzer's own status for
        # it, 77, is that of a skipped test.
        words = [fuzzer, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2000", "-max_len=8192", "-print_final_stats=1",
                 "-error_exitcode=1", seeds]
        return subprocess.run(words).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
