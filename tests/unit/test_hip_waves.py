#!/usr/bin/env python3
"""Kernels for AMD's GPUs synchronize as their wave size requires: no barrier if a block is one wave, otherwise one.

gfx90a has waves of 64 work-items, gfx1030 of 32. Takes the bin folder of a build; skipped in one without hipcc.
"""
import glob
import os
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

WAVES = {"gfx90a": 64, "gfx1030": 32}
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
S_BARRIER = 0xBF8A0000  # the same on both


def code_objects(path):
    """{architecture: ELF bytes} of a bundle: magic, count, then (offset, size, length of name, name) each."""
    with open(path, "rb") as stream:
        data = stream.read()
    assert data.startswith(MAGIC), path
    at = len(MAGIC)
    (count,) = struct.unpack_from("<Q", data, at)
    at += 8
    found = {}
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        name = data[at + 24:at + 24 + length].decode()
        at += 24 + length
        if name.startswith("hip"):
            found[name.split("--")[-1].split(":")[0]] = data[offset:offset + size]
    return found


def barriers(elf):
    """Barrier instructions in .text."""
    sections, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, sections + i * size) for i in range(count)]
    strings = headers[names][4]
    for name, _, _, _, offset, length in headers:
        if elf[strings + name:].split(b"\0", 1)[0] == b".text":
            words = struct.unpack_from(f"<{length // 4}I", elf, offset)
            return words.count(S_BARRIER)
    raise AssertionError("no .text")


def images():
    return glob.glob(os.path.join(os.path.dirname(BIN), "hip", "t*_p*.hsaco")) if BIN else []


class Waves(unittest.TestCase):
    def test_barriers_only_between_waves(self):
        for path in images():
            team, poses = map(int, re.match(r"t(\d+)_p(\d+)", os.path.basename(path)).groups())
            for name, elf in code_objects(path).items():
                if name in WAVES:
                    with self.subTest(image=os.path.basename(path), architecture=name):
                        self.assertEqual(team * poses > WAVES[name], barriers(elf) > 0)


BIN = None
if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]) else None
    if not images():
        skips.skip("this build has no kernels for AMD's GPUs")
    skips.main()
