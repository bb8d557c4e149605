#!/usr/bin/env python3
"""docs/accuracy.md, the README's figures and the plot are what the committed JSON says."""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
DATA = TOP / "docs/accuracy/data"


class AccuracyDoc(unittest.TestCase):
    def test_pages_are_what_the_json_says(self):
        done = subprocess.run([sys.executable, TOP / "bench/scripts/accuracy_page.py", "--check"],
                              capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_file_says_where_it_comes_from_and_is_shown(self):
        page = (TOP / "docs/accuracy.md").read_text(encoding="utf-8")
        for path in sorted(DATA.glob("*.json")):
            told = json.loads(path.read_text(encoding="utf-8"))
            for key in ("benchmark", "command", "date"):
                self.assertTrue(told.get(key), f"{path.name}: {key}")
            if told["benchmark"] != "published":
                self.assertRegex(told.get("commit", ""), "^[0-9a-f]{8}", path.name)
                self.assertTrue(told.get("device"), path.name)
                self.assertIn(f"[{path.name}](accuracy/data/{path.name})", page)

    def test_history(self):
        with open(TOP / "docs/accuracy/history.csv", encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        self.assertTrue(rows)
        for row in rows:
            self.assertRegex(row["date"], r"^\d{4}-\d\d-\d\d$", row)
            self.assertRegex(row["commit"], "^[0-9a-f]{8}$", row)
            self.assertTrue(all(row.values()), row)

    def test_commits_of_the_history_exist(self):
        git = ["git", "-C", str(TOP)]
        if subprocess.run([*git, "rev-parse", "--is-shallow-repository"], capture_output=True,
                          text=True).stdout.strip() != "false":
            skips.skip("no repository with its whole history")
        text = (TOP / "docs/accuracy/history.csv").read_text(encoding="utf-8")
        for commit in sorted(set(re.findall(r"^[\d-]{10},([0-9a-f]{8}),", text, re.MULTILINE))):
            self.assertEqual(
                subprocess.run([*git, "cat-file", "-e", commit + "^{commit}"], capture_output=True).returncode, 0,
                commit)

    def test_readme_has_no_figures_of_the_crystal_conformer(self):
        readme = (TOP / "README.md").read_text(encoding="utf-8")
        evidence = readme.split("## Evidence")[1]
        self.assertIn("generated conformers", evidence)
        self.assertNotIn("PDBbind", evidence)
        outside = re.sub(r"(?s)<!-- readme-\S+ -->.*?<!-- end -->", "", evidence)
        self.assertNotRegex(outside, r"\d+ %|ligands/s|times as fast",
                            "figures are in the tables that are made from JSON")


if __name__ == "__main__":
    skips.main()
