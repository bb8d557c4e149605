#!/usr/bin/env python3
"""Optimized programs are hardened: position-independent, addresses read-only at run time, guarded stacks, checked
copies, no executable stack."""
import re
import shutil
import subprocess
import unittest

import berth_cli as cli


def setting(name):
    match = re.search(rf"^{name}:\w+=(.*)$", (cli.BIN.parent / "CMakeCache.txt").read_text(), re.MULTILINE)
    return match.group(1) if match else ""


class Hardening(unittest.TestCase):
    def setUp(self):
        if shutil.which("readelf") is None or not (cli.BIN.parent / "CMakeCache.txt").exists():
            self.skipTest("no readelf, or not the build's folder")
        if setting("BERTH_SANITIZE") or setting("CMAKE_BUILD_TYPE") == "Debug" or setting("BERTH_HARDEN") == "OFF":
            self.skipTest("a build for tests")

    def test_every_program(self):
        programs = [path for path in cli.BIN.iterdir() if path.name.startswith("berth") and path.suffix == ""]
        self.assertIn("berth", [path.name for path in programs])
        for path in programs:
            def read(*options):
                return subprocess.run(["readelf", "-W", *options, path], capture_output=True, text=True).stdout
            with self.subTest(program=path.name):
                self.assertRegex(read("-h"), r"Type:\s+DYN")
                self.assertRegex(read("-d"), r"FLAGS.*NOW")
                segments = read("-l")
                self.assertIn("GNU_RELRO", segments)
                self.assertRegex(segments, r"GNU_STACK.* RW ")
                symbols = read("--dyn-syms")
                self.assertIn("__stack_chk_fail", symbols)
                self.assertRegex(symbols, r"__(mem|str|v?s?n?f?printf|read)\w*_chk")


if __name__ == "__main__":
    cli.main()
