# SPDX-License-Identifier: BSL-1.0
"""start.sh sets what an MPI program needs to start, and nothing that changes its figures."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

START = sys.argv.pop(1)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a shell cannot trap what is ignored when it starts, as under nohup
# Has two cores, prints its arguments and its variables, complains as Open MPI does, and ends with 3.
LAUNCHER = r"""#!/bin/sh
[ "$1" = --oversubscribe ] || [ "$2" -le 2 ] || exit 1
[ "$3" != true ] || exit 0
printf "%s\n" "$*"
env | grep -E '^(OMPI|MPI|PMI|UCX|FI|HYDRA)[A-Za-z_]*=' | sort
echo '[host:17] Read -1, expected 65536, errno = 1' >&2
echo 'a reason' >&2
echo '[host:18] Read -1, expected 4194304, errno = 1' >&2
exit 3
"""

# Says a line, and waits until it is told to end; then it says another one, and ends with 7. `timeout` sends a signal to
# its child and to the group of the child, so it may come twice.
WAITING = r"""#!/bin/sh
[ "$3" != true ] || exit 0
trap 'trap "" TERM INT HUP; echo told >&2; exit 7' TERM INT HUP
echo waits >&2
sleep 20 >/dev/null 2>&1 &
wait
"""


class Start(unittest.TestCase):
    def command(self, folder, text, ranks=2, start=START):
        launcher = pathlib.Path(folder, "launcher")
        launcher.write_text(text)
        launcher.chmod(0o755)
        return [str(start), str(launcher), str(ranks), "program", "-x"]

    def started(self, ranks):
        with tempfile.TemporaryDirectory() as folder:
            command = self.command(folder, LAUNCHER, ranks)
            clean = {key: value for key, value in os.environ.items() if not key.startswith(("OMPI", "MPI", "PMI", "UCX", "FI", "HYDRA"))}
            return subprocess.run(command, capture_output=True, text=True, env=clean)

    def test_only_what_root_needs_is_in_the_environment(self):
        words, *variables = self.started(2).stdout.splitlines()
        self.assertEqual(words, "-n 2 program -x")
        as_root = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
        self.assertEqual(variables, as_root if os.getuid() == 0 else [])

    def test_more_ranks_than_cores_are_allowed_where_they_are(self):
        self.assertEqual(self.started(4).stdout.splitlines()[0], "--oversubscribe -n 4 program -x")

    def test_complaints_about_copies_are_counted_and_all_else_is_kept(self):
        done = self.started(2)
        first, second = done.stderr.splitlines()
        self.assertEqual(first, "a reason")
        self.assertIn("for 2 messages", second)
        self.assertEqual(done.returncode, 3)

    def check_signals(self, start):
        for told in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(told), tempfile.TemporaryDirectory() as folder:
                command = self.command(folder, WAITING, start=start)
                temporary = pathlib.Path(folder, "temporary")
                temporary.mkdir()
                started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)})
                self.assertEqual(started.stderr.readline(), "waits\n")
                started.send_signal(told)
                self.assertEqual(started.communicate(timeout=20)[1], "told\n")
                self.assertEqual(started.returncode, 7)
                self.assertEqual(list(temporary.iterdir()), [])

    def test_a_line_is_shown_before_the_end_and_a_signal_reaches_the_launcher(self):
        self.check_signals(START)

    def test_a_signal_may_come_before_the_shell_goes_on_after_it_started_the_launcher(self):
        with tempfile.TemporaryDirectory() as folder:
            slow = pathlib.Path(folder, "start.sh")
            slow.write_text(pathlib.Path(START).read_text().replace("\nstarted=$!", "\nsleep 1\nstarted=$!"))
            slow.chmod(0o755)
            self.check_signals(slow)

    def test_a_program_without_end_is_ended_with_a_message(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(self.command(folder, WAITING), capture_output=True, text=True, timeout=20,
                                  env={**os.environ, "SONDE_TIME_LIMIT": "1"})
            self.assertEqual(done.stderr.splitlines(), ["waits", "told", "start.sh: program was ended after 1 s"])
            self.assertEqual(done.returncode, 124)


if __name__ == "__main__":
    unittest.main()
