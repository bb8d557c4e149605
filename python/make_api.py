"""The public headers -> berth/_api.py, the declarations of libberth for cffi; once per build, for all Python versions.

    make_api.py COMPILER INCLUDE-FOLDER OUTPUT
"""
import pathlib
import subprocess
import sys
import tempfile

import cffi


def declarations(compiler, include):
    """The headers without macros and attributes; cffi knows the types of system headers."""
    names = sorted(path.name for path in (include / "berth").glob("*.h"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stdbool.h", "stddef.h", "stdint.h"):
            pathlib.Path(folder, name).touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-U__clang__", "-I", folder, "-I", include, "-x", "c", "-"]
        text = "".join(f"#include <berth/{name}>\n" for name in names)
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main(compiler, include, output):
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, pathlib.Path(include)) + "void free(void *pointer);\n")
    ffi.set_source("berth._api", None)
    ffi.emit_python_code(output)


main(*sys.argv[1:])
