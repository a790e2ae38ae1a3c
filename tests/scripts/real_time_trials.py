#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The count of trials of a statement about real times, tests/trials.py."""
import io
import contextlib
import unittest

from trials import holds


class Trials(unittest.TestCase):
    def tried(self, outcomes, least, of):
        """The trials made, and what failed, of a statement with these outcomes."""
        made = []

        def statement(i):
            made.append(i)
            self.assertTrue(outcomes[i], "late")

        with contextlib.redirect_stdout(io.StringIO()):
            try:
                holds(self, statement, least, of)
            except AssertionError as failure:
                return made, str(failure).splitlines()
        return made, None

    def test_a_statement_that_holds_often_enough_passes_and_no_trial_is_made_after_that(self):
        self.assertEqual(self.tried([True, True, True], 2, 3), ([0, 1], None))
        self.assertEqual(self.tried([True, False, True], 2, 3), ([0, 1, 2], None))

    def test_a_statement_that_fails_too_often_fails_with_the_reason_of_each_trial(self):
        made, said = self.tried([False, True, False, True], 3, 4)
        self.assertEqual(made, [0, 1, 2])
        self.assertIn("holds in 1 of 3 trials; at least 3 of 4 are to", said[0])
        self.assertEqual(said[1:], ["trial 0: False is not true : late", "trial 2: False is not true : late"])


unittest.main(verbosity=2)
