# SPDX-License-Identifier: BSL-1.0
"""The stand-in for upcc: what it translates into C, and that it refuses the rest of UPC."""
import importlib.util
import os
import subprocess
import unittest

UPCC = os.environ["OSU_UPCC"]
_module = importlib.util.spec_from_file_location("upcc", UPCC)
upcc = importlib.util.module_from_spec(_module)
_module.loader.exec_module(upcc)

POINTERS = "static shared char* all[4];\n"


class Translation(unittest.TestCase):
    def test_pointers_to_shared_are_of_a_type_of_the_runtime(self):
        self.assertEqual(upcc.translated(POINTERS), "static upc_shared_pointer all[4];\n")

    def test_an_element_is_a_thread_and_an_offset(self):
        self.assertEqual(upcc.translated(POINTERS + "put(&all[to][thread]);").splitlines()[1],
                         "put(fake_upc_element(all[to], thread, sizeof(char)));")

    def test_a_cast_gives_the_address_of_the_thread_s_own_memory(self):
        self.assertEqual(upcc.translated(POINTERS + "return (char*)&all[i][MYTHREAD];").splitlines()[1],
                         "return (char*)fake_upc_private(fake_upc_element(all[i], MYTHREAD, sizeof(char)));")

    def test_private_arrays_stay_and_comments_go_but_not_their_lines(self):
        self.assertEqual(upcc.translated("f(&rows[i][j]); /* shared\n memory */ // strict\ng();"), f"f(&rows[i][j]);          \n{' ' * 10} {' ' * 9}\ng();")

    def test_other_constructs_of_upc_are_refused_by_their_line(self):
        for construct in ("shared [4] char block[4 * THREADS];", "upc_forall (;;) {}", "upc_notify;", "strict shared int* p;",
                          "shared char* f(void);", "#pragma upc c_code"):
            with self.subTest(construct), self.assertRaisesRegex(ValueError, "^line 2: no translation of "):
                upcc.translated("\n" + construct)

    def test_flags_that_upcc_does_not_have_are_refused(self):
        done = subprocess.run([UPCC, "-fPIC", "a.upc"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "upcc: unrecognized flag '-fPIC'\n"))
