#!/usr/bin/env python3
"""Public headers: each can be included alone, in C and C++, and the examples in its comments compile.

An example is indented by five blanks, in the opening comment or in a chapter's heading. Those of a header, one after
another, form the body of a function, after those of the headers whose variables they use.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = os.environ.get("BERTH_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "include", "berth")
HEADERS = sorted(os.listdir(FOLDER))
FRAME = """#include <stdio.h>
#include <stdlib.h>
#include <berth/berth.h>
%s
int main(void) {
%s
  return 0;
failed:
  return puts(bt_error_format(&error, text, sizeof text)), 1;
}
"""


def example(header):
    """The code in the header's comments, with a blank line between chapters."""
    with open(os.path.join(FOLDER, header), encoding="utf-8") as stream:
        return re.findall(r"^ \*     (\S.*|  .*)$", stream.read(), re.MULTILINE)


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class HeaderExamples(unittest.TestCase):
    def compile(self, text, *options, command="cc"):
        done = subprocess.run([command, "-fsyntax-only", "-Wall", "-Werror", "-I", os.path.join(TOP, "include"),
                               *options, "-"], input=text, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr + text)

    def test_each_header_stands_alone(self):
        for header in HEADERS:
            self.compile(f"#include <berth/{header}>\n", "-std=c17", "-pedantic", "-x", "c")
            if shutil.which("c++"):
                self.compile(f"#include <berth/{header}>\n", "-x", "c++", command="c++")

    def test_examples_compile(self):
        before = {"status.h": [], "berth.h": example("status.h")}
        for header in HEADERS:
            code = before.get(header, example("status.h") + example("berth.h")) + example(header)
            if header == "status.h":
                code.append("goto failed;")
            includes = f"#include <berth/{header}>\n#include <berth/screen.h>"
            body = "\n".join("  " + line for line in code)
            self.compile(FRAME % (includes, body), "-std=c17", "-x", "c",
                         "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-maybe-uninitialized")

    def test_chapters_begin_with_an_example(self):
        for header in HEADERS:
            with open(os.path.join(FOLDER, header), encoding="utf-8") as stream:
                chapters = re.findall(r"^/\* -{60,}\n \* \d+\. (.*)\n(.*)$", stream.read(), re.MULTILINE)
            self.assertEqual([], [title for title, behind in chapters if behind != " *"], header)


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):
        sys.argv.pop(1)
    skips.main()
