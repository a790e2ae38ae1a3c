# SPDX-License-Identifier: BSL-1.0
"""Statements about real times, which other load of the machine may break in some of their trials."""


def holds(test, statement, least, of):
    """Fails the test unless `statement` holds in at least `least` of `of` trials. `statement(i)` is trial i; it raises an
    AssertionError if it does not hold, and contains no subTest. Ends as soon as the count decides."""
    failures, trials = [], 0
    while trials - len(failures) < least and len(failures) <= of - least:
        try:
            statement(trials)
        except AssertionError as failure:
            failures.append(f"trial {trials}: {failure}")
        trials += 1
    said = "\n".join((f"{test.id()}: holds in {trials - len(failures)} of {trials} trials; at least {least} of {of} are to", *failures))
    print(said, flush=True)
    if trials - len(failures) < least:
        test.fail(said)
