#!/usr/bin/env python3
"""Tests and test cases named by docs/reliability.md and SECURITY.md exist."""
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
DOCUMENTS = ["docs/reliability.md", "SECURITY.md"]


def source(name):
    """The file of a test as CTest names it."""
    kind, _, rest = name.partition(".")
    if kind == "cli":
        return TOP / f"tests/cli/test_{rest}.py"
    if rest.startswith("fuzz."):
        return TOP / f"tests/fuzz/fuzz_{rest.removeprefix('fuzz.')}.c"
    folder, _, last = rest.replace(".", "/").rpartition("/")
    paths = [TOP / "tests/unit" / folder / f"test_{last}{ending}" for ending in (".c", ".py")]
    return next((path for path in paths if path.exists()), paths[0])


class Named(unittest.TestCase):
    def test_tests_are_there(self):
        names = 0
        for document in DOCUMENTS:
            for line in (TOP / document).read_text().splitlines():
                tests = re.findall(r"`((?:cli|unit)\.[\w.]+\w)`", line)
                for name in tests:
                    self.assertTrue(source(name).exists(), f"{document}: {name}")
                names += len(tests)
                text = "".join(source(name).read_text() for name in tests)
                for case in re.findall(r"\b(?:[A-Z]\w+\.)?(test_\w+|[a-z]+(?:_[a-z]+){2,})\b(?!\.)", line if tests else ""):
                    self.assertIn(case, text, f"{document}: {line}")
                for path in re.findall(r"`((?:tests|scripts|cmake|docs)/[\w./-]+)", line):
                    self.assertTrue((TOP / path.rstrip(".")).exists(), f"{document}: {path}")
        self.assertGreater(names, 40)


if __name__ == "__main__":
    skips.main(sys.argv[2:])
