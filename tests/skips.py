"""skips.py - how tests in Python handle missing inputs and programs.

A test that lacks an input or a program is skipped; a test program that ran nothing ends with exit code 77, which CTest
counts as skipped. Each skip prints one line, "skipped: REASON", which scripts/test collects.
"""
import sys
import unittest

ALL_SKIPPED = 77


class Skipped(unittest.SkipTest, SystemExit):
    """Skips a test case of unittest; ends a plain script with exit code 77."""

    def __init__(self, reason):
        super().__init__(reason)
        self.code = ALL_SKIPPED


def skip(reason):
    """Skips the test case or, outside of one, the whole program."""
    if not _running:
        print("skipped:", reason)
    raise Skipped(reason)


_running = False


def main(arguments=(), verbosity=1, **options):
    """unittest.main() for the test cases of the program, which prints what was skipped."""
    global _running
    _running = True
    result = unittest.main(argv=[sys.argv[0], *arguments], exit=False, verbosity=verbosity, **options).result
    sys.stderr.flush()
    for _, reason in result.skipped:
        print("skipped:", reason)
    if not result.wasSuccessful():
        sys.exit(1)
    if len(result.skipped) > 0 and len(result.skipped) >= result.testsRun:
        sys.exit(ALL_SKIPPED)
