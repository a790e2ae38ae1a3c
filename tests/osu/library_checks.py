# SPDX-License-Identifier: BSL-1.0
"""What tests of the programs of UPC and of UPC++ share. `prefix` is the beginning of a program's name."""
import json
import os
import re
import tempfile

from driver import at_once, is_row, read, statistics_titles, title_line


def check_table(test, library, program, answer, sizes, texts=()):
    """The title, the columns and the rows of a program with data, with the texts in the column of -c."""
    test.assertEqual(set(answer.codes), {0}, answer)
    head = [f"# OSU {library} {program.title} v7.4"]
    if not program.collective:
        head.append(f"# [ pairs: {len(answer.codes) // 2} ]")
    head.append(title_line((program.column, *(["Validation"] if texts else []))))
    rows = answer.lines[len(head):]
    test.assertEqual((answer.lines[:len(head)], len(rows)), (head, len(sizes)), answer)
    for line, size in zip(rows, sizes):
        test.assertTrue(is_row(line, size, 1, texts), line)


def check_that_copies_are_one_sample(test, run):
    """`run(arguments..., folder=)`: a program of copies. With --until they are several samples."""
    def record(*given):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("-m", "8:8", *given, "--report", "json=r", folder=folder)
            test.assertEqual(set(answer.codes), {0}, answer)
            return answer, json.loads(read(f"{folder}/r").splitlines()[1])
    _, one = record("-i", "50")
    test.assertEqual((one["stop"]["samples"], one["batch"], one["parameters"]), (1, 50, {"bytes": 8}))
    answer, several = record("--until", "5%", "--honest")
    test.assertGreaterEqual(several["stop"]["samples"], 6)
    titles, = (line for line in answer.lines if line.startswith("# Size"))
    test.assertTrue(titles.endswith(statistics_titles()), titles)


def check_options(test, prefix, programs, run):
    """The options that each program lists."""
    for program, answer in at_once(lambda p: run(p, "-h", ranks=1), programs):
        with test.subTest(program.name):
            test.assertEqual((answer.codes, answer.lines[0]), ([0], f"Usage: {prefix}{program.name} [options]"))
            test.assertEqual(sorted(re.findall(r"^  -(\w), --", answer.out, re.M)), sorted(program.letters))


def check_built(test, prefix, names, folder):
    """The programs in a folder, which also has the executable that their names are links to."""
    built = {f.removeprefix(prefix) for f in os.listdir(folder) if re.fullmatch(prefix + "[a-z_]+", f)}
    test.assertEqual(built - {"stand_in"}, set(names))


def check_refused(test, by_name, cases, run):
    """`cases`: a program, its arguments, its ranks, its environment, and the one line that rank 0 prints."""
    def refused(case):
        name, given, ranks, environment, _ = case
        return run(by_name[name], *given.split(), ranks=ranks, environment=environment)

    for (name, given, ranks, _, line), answer in at_once(refused, cases):
        with test.subTest(f"{name} {given}"):
            test.assertEqual((answer.codes, answer.out), ([1] * ranks, ""), answer)
            test.assertRegex(answer.err.strip(), line)
            test.assertEqual(len(answer.err.splitlines()), 1, answer)


def check_damaged(test, prefix, cases, run):
    """`cases`: a program, and how its stand-in damages data. `run(program, environment=)`: on two ranks, sizes from 4 bytes on."""
    for (program, how), answer in at_once(lambda case: run(case[0], environment={"SONDE_FAULT": case[1]}), cases):
        with test.subTest(f"{program.name} {how}"):
            test.assertEqual(answer.codes, [1, 1], answer)
            row, last = answer.lines[-2:]
            test.assertEqual(row.split()[-1], program.wrong)
            test.assertRegex(last, rf"^DATA VALIDATION ERROR: \S*{prefix}{program.name} exited with status 1 on message size 4\.")
