#!/usr/bin/env python3
"""The layering of the sources: which folder may include which, and what no source of the library may do.

The rule is docs/decisions/001-house.md. Takes the bin folder of a build as its argument (its library is searched
for writable global data); without one, only the sources are read.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = os.environ.get("BERTH_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Folder of src/ -> folders whose headers it may include (its own and the public header always), with the reason.
LAYERS = {
    "base": (set(), "files, memory, text, threads: knows no chemistry"),
    "forcefield": ({"base"}, "parameter tables and laws by type name: knows no molecule"),
    "chem": ({"base"}, "molecules as arrays and graphs"),
    "formats": ({"base", "chem", "forcefield"}, "bytes <-> molecules and plain records; maps name their scoring function"),
    "pose": ({"base", "chem", "forcefield"}, "a ligand is a molecule with force-field types, bodies and pairs"),
    "prep": ({"base", "chem", "formats", "forcefield", "pose"}, "raw files -> prepared ligands and receptors"),
    "grid": ({"base", "chem", "forcefield", "formats", "pose", "kernel", "backend"},
             "receptor -> maps, in the vectors of the CPU; maps <-> files"),
    "score": ({"base", "chem", "forcefield", "grid", "pose"}, "double-precision energies of a pose in maps"),
    "kernel": (set(), "one source for every processor: nothing from outside"),
    "backend": ({"base", "kernel"}, "runs kernels on a device: sees arrays, never molecules or maps"),
    "results": ({"base", "chem", "forcefield", "formats", "grid", "pose", "prep", "score"}, "poses -> clusters, tables, files"),
    "rescore": ({"base", "chem", "forcefield", "formats", "grid", "pose", "score", "results", "kernel", "backend"},
                "poses of results -> scores by re-scorers, networks on a device"),
    "library": ({"base", "chem", "formats", "forcefield", "pose", "prep"}, "ligands from files, in one order"),
    "store": ({"base", "chem", "constrain", "formats", "forcefield", "pose", "prep", "grid", "score", "results"},
              "the database of a screen"),
    "pipeline": ({"base", "chem", "forcefield", "formats", "pose", "prep", "grid", "score", "backend", "library", "results",
                  "rescore", "store"}, "ligands from sources through an engine into sinks; what it asks of engines is its engine.h"),
    "constrain": ({"base", "chem", "forcefield", "formats", "library", "pose", "prep"}, "constraints in words -> restraints of a ligand"),
    "engine": ({"base", "chem", "constrain", "forcefield", "formats", "grid", "pose", "prep", "score", "kernel", "backend", "results",
                "library", "store", "pipeline"},
               "from ligands and a receptor to poses: AutoDock's force field and BUDE's"),
    "report": ({"base", "chem", "constrain", "formats", "forcefield", "pose", "prep", "results", "rescore", "store"},
               "results -> one page that people look at"),
    "target": ({"base", "chem", "constrain", "forcefield", "formats", "pose", "prep", "grid", "score", "engine", "pipeline", "library",
                "results", "rescore", "store"}, "receptor, boxes, maps, engine, re-scorers, ranking: what programs call"),
}
# (file, included header): reason. An exception is a debt; keep this table short.
EXCEPTIONS = {
}
# What benchmarks use of cli/, besides cli/common and all of src/.
BENCH_SEES = {"dock/device.h", "input/inputs.h", "output/outputs.h", "signals/interrupt.h"}
# Most files of a folder, so that a newcomer finds them by guessing; folder -> reason for more.
ROOMS = {"cli": 15, "src": 25}
LARGE_ROOMS = {}
# Longest file that needs no reason, in lines; file -> reason.
LONGEST = 500
LONG_FILES = {}
# Absolute paths that are the same on every machine.
SYSTEM_PATHS = ("/dev/", "/proc/", "/sys/", "/tmp", "/etc/OpenCL")

# Data defined by the headers of RDKit, gemmi and the C++ library, by their mangled names.
FOREIGN = re.compile(r"DW\.ref\.|_ZStL8__ioinit|_Z(GV)?Z?L?N(K)?(L)?(5RDKit|5boost|6RDGeom|5gemmi|10fast_float|3tao)|_ZGVN?5boost")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
GENERATED = {"ad4_types.inc", "ad4_bonds.inc", "ad4_stand_ins.inc", "build_commit.h", "atom_types.inc",
             "ionization.inc"}  # made from data/ by the build


def files_below(folder, endings=(".c", ".h", ".inc", ".cc")):
    for root, _, names in os.walk(os.path.join(TOP, folder)):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(root, name), TOP)


def text_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as stream:
        return stream.read()


def code_of(path, keep_strings=False):
    """The file without comments, and without the contents of strings unless they are wanted."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def blank(match):
        token = match.group(0)
        if token[0] == "/":
            return "\n" * token.count("\n") or " "
        return token if keep_strings else token[0] * 2

    return re.sub(pattern, blank, text_of(path), flags=re.DOTALL)


def includes_of(path):
    """(kind, name) of each include; a quoted name is resolved to a path below src/ where it is beside the file."""
    for kind, name in INCLUDE.findall(code_of(path, keep_strings=True)):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if kind == '"' and not os.path.exists(os.path.join(TOP, "src", name)) and os.path.exists(os.path.join(TOP, beside)):
            name = os.path.relpath(beside, "src") if beside.startswith("src" + os.sep) else beside
        yield kind, name


def find_code(paths, pattern, keep_strings=False):
    found = []
    for path in paths:
        for number, line in enumerate(code_of(path, keep_strings).split("\n"), 1):
            if re.search(pattern, line):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    return found


class Includes(unittest.TestCase):
    maxDiff = None
    def test_table_has_no_cycle(self):
        rest = {folder: set(allowed) for folder, (allowed, _) in LAYERS.items()}
        while rest:
            bottom = [folder for folder, allowed in rest.items() if not allowed & rest.keys()]
            self.assertTrue(bottom, f"folders include each other in a circle: {sorted(rest)}")
            for folder in bottom:
                del rest[folder]

    def test_every_folder_has_a_place(self):
        present = {f for f in os.listdir(os.path.join(TOP, "src")) if os.path.isdir(os.path.join(TOP, "src", f))}
        filled = {f for f in present if any(True for _ in files_below(os.path.join("src", f)))}
        self.assertEqual(set(), filled - LAYERS.keys(), "give the folder a row in LAYERS")

    def test_src_keeps_to_the_layers(self):
        wrong = []
        for path in files_below("src"):
            folder = path.split(os.sep)[1]
            allowed = LAYERS.get(folder, (set(), ""))[0] | {folder}
            for kind, name in includes_of(path):
                if kind == "<" or name in GENERATED or (path, name) in EXCEPTIONS:
                    continue
                if name.split("/")[0] not in allowed:
                    wrong.append(f'{path} includes "{name}": {folder} may see {", ".join(sorted(allowed))}')
        self.assertEqual([], wrong)

    def test_symbols_keep_to_the_layers(self):
        """A prototype in a lower folder of what a higher one defines is a call upward that no include shows."""
        objects = os.path.join(os.path.dirname(BIN), "CMakeFiles", "berth.dir", "src") if BIN else ""
        if not os.path.isdir(objects) or shutil.which("nm") is None:
            self.skipTest("no build given, or no nm")
        # kernels, compiled once per instruction set, are elsewhere
        built = {os.path.join(objects, os.path.relpath(path, "src") + ".o"): path for path in files_below("src", (".c",))}
        table = subprocess.run(["nm", "-A", "-P", *filter(os.path.exists, built)], capture_output=True, text=True).stdout
        homes, uses = {}, []
        for line in table.splitlines():
            where, name, kind = line.replace(": ", " ", 1).split()[:3]
            folder = built[where].split(os.sep)[1]
            if kind == "U":
                uses.append((built[where], folder, name))
            elif kind in "TDBR":
                homes[name] = folder
        self.assertIn("bt_screen_run", homes)
        wrong = [f"{path} uses {name} of {homes[name]}" for path, folder, name in uses
                 if name in homes and homes[name] not in LAYERS[folder][0] | {folder}]
        self.assertEqual([], wrong)

    def test_exceptions_are_needed(self):
        for path, name in EXCEPTIONS:
            self.assertIn(("\"", name), list(includes_of(path)), f"{path} no longer includes {name}: remove the exception")

    def test_kernel_includes_only_kernel(self):
        wrong = []
        for path in files_below("src/kernel"):
            for kind, name in includes_of(path):
                if kind == "<" or name.split("/")[0] != "kernel":
                    wrong.append(f"{path} includes {name}")
        self.assertEqual([], wrong)

    def test_kernel_names_no_device(self):
        devices = r"__CUDA|__HIP|__OPENCL|_OPENMP|__SSE|__AVX|__ARM|__x86_64|__aarch64|BT_CPU_ISA|_mm\d*_"
        self.assertEqual([], find_code(files_below("src/kernel"), devices))

    def test_back_ends_do_not_see_each_other(self):
        wrong = []
        for path in files_below("src/backend"):
            parts = path.split(os.sep)
            if len(parts) < 4:  # the registry and the interface belong to no back end
                continue
            for _, name in includes_of(path):
                other = name.split("/")
                if other[0] == "backend" and len(other) > 2 and other[1] not in (parts[2], "driver"):
                    wrong.append(f"{path} includes {name}")
        self.assertEqual([], wrong)

    def test_engines_name_no_machine(self):
        folders = sorted(os.listdir(os.path.join(TOP, "src/backend")))
        names = [f for f in folders if "." not in f and f not in ("cpu", "driver", "hip")]  # whole words only
        self.assertIn("opencl", names)
        machines = "(?i)" + "|".join(names) + r"|\bhip\b|bt_runtime_(cpu|hip)|bt_cpu_"
        wrong = find_code(files_below("src/engine"), machines)
        for path in files_below("src/engine"):
            wrong += [f"{path} includes {name}" for _, name in includes_of(path)
                      if name.startswith("backend/") and name.count("/") > 1]
        self.assertEqual([], wrong)

    def test_machines_name_no_engine(self):
        wrong = find_code(files_below("src/backend", (".c", ".h", ".cu", ".hip", ".cl")), r"(?i)\blga|ad4|bude|autodock|kernel/(?!lane/)",
                          keep_strings=True)
        for path in files_below("src/backend", (".c", ".h", ".cu", ".hip", ".cl")):
            wrong += [f"{path} includes {name}" for _, name in includes_of(path)
                      if name.startswith(("engine/", "kernel/")) and not name.startswith("kernel/lane/")]
        self.assertEqual([], wrong)

    def test_cli_sees_only_the_public_headers_and_base(self):
        wrong = []
        for path in files_below("cli"):
            for kind, name in includes_of(path):
                own = kind == '"' and (name.startswith(("cli/", "base/")) or os.path.exists(os.path.join(TOP, "cli", name)))
                system = kind == "<" and (name.startswith("berth/") or not os.path.exists(os.path.join(TOP, "src", name)))
                if not own and not system:
                    wrong.append(f"{path} includes {name}")
        self.assertEqual([], wrong)

    def test_benchmarks_see_the_library_and_nobody_sees_them(self):
        wrong = []
        for path in files_below("bench"):
            for kind, name in includes_of(path):
                own = os.path.exists(os.path.join(TOP, name)) or os.path.exists(os.path.join(TOP, "src", name))
                if kind == '"' and not own and not name.startswith("common/") and name not in BENCH_SEES:
                    wrong.append(f"{path} includes {name}")
        for path in (*files_below("src"), *files_below("cli")):
            wrong += [f"{path} includes {name}" for _, name in includes_of(path) if name.split("/")[0] == "bench"]
        self.assertEqual([], wrong)

    def test_rooms_are_small(self):
        for top, most in ROOMS.items():
            count = collections.Counter(os.path.dirname(path) for path in files_below(top))
            self.assertGreater(len(count), 5)
            large = {folder: n for folder, n in count.items() if n > most}
            self.assertEqual({}, {folder: n for folder, n in large.items() if folder not in LARGE_ROOMS},
                             "make rooms in it, or write the reason into LARGE_ROOMS")
            self.assertEqual([], [f for f in LARGE_ROOMS if f.startswith(top) and f not in large],
                             "no longer large: remove the reason")

    def test_public_headers_need_only_libc(self):
        for path in files_below("include"):
            names = [name for _, name in includes_of(path) if not name.startswith("berth/")]
            self.assertEqual([], [n for n in names if n not in ("stdbool.h", "stddef.h", "stdint.h")], path)

    def test_main_header_is_short(self):
        self.assertLessEqual(text_of("include/berth/berth.h").count("\n"), 400, "topics have headers of their own")


class Habits(unittest.TestCase):
    def test_library_never_exits(self):
        found = find_code(files_below("src"), r"\b(exit|_exit|abort|quick_exit)\s*\(")
        # a child process that has done its work
        self.assertEqual([], [line for line in found if not line.startswith("src/chem/rdkit/child_process.cc")])

    def test_library_never_prints(self):
        self.assertEqual([], find_code(files_below("src"), r"\b(printf|puts|putchar|perror)\s*\(|\b(stdout|stderr)\b"))

    def test_files_are_small(self):
        long = {}
        for folder in ("src", "cli", "bench", "include"):
            for path in files_below(folder):
                lines = text_of(path).count("\n")
                if lines > LONGEST:
                    long[path] = lines
        self.assertEqual({}, {p: n for p, n in long.items() if p not in LONG_FILES},
                         "split the file, or write the reason into LONG_FILES")
        self.assertEqual(set(), LONG_FILES.keys() - long.keys(), "no longer long: remove the reason")

    def test_files_say_what_they_are(self):
        wrong = []
        for folder in ("src", "cli", "bench"):
            for path in files_below(folder, (".c", ".h", ".cc")):
                first = text_of(path).split("\n", 1)[0]
                if os.path.basename(path) not in first:
                    wrong.append(f"{path}: the first line is not '/* {os.path.basename(path)} - what it holds'")
        self.assertEqual([], wrong)

    def test_no_path_of_one_machine(self):
        found = find_code([*files_below("src"), *files_below("cli")], r'"/[A-Za-z]', keep_strings=True)
        self.assertEqual([], [line for line in found
                              if not all(p.startswith(SYSTEM_PATHS) for p in re.findall(r'"(/[A-Za-z][^"]*)', line))])
        homes = re.compile(r"/(?:home|root|Users)/\w")
        for folder in ("scripts", "cmake", "docs", "examples", "tests", "tools", "bench"):
            for path in files_below(folder, (".md", ".py", ".sh", ".cmake", ".txt", ".c", ".h", "test", "demo")):
                self.assertIsNone(homes.search(text_of(path)), path)

    def test_library_has_no_writable_globals(self):
        library = os.path.join(os.path.dirname(BIN), "libberth.a") if BIN else ""
        if not os.path.exists(library) or shutil.which("nm") is None:
            self.skipTest("no build given, or no nm")
        table = subprocess.run(["nm", "--format=sysv", library], capture_output=True, text=True).stdout
        if re.search(r"__(asan|tsan|sanitizer)_", table):
            self.skipTest("a sanitizer adds its own data")
        writable = []
        for line in table.splitlines():
            fields = [field.strip() for field in line.split("|")]
            if len(fields) == 7 and re.match(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)", fields[6]) and fields[3] != "SECTION":
                writable.append(fields[0])
        writable = [name for name in writable if not FOREIGN.match(name)]
        self.assertEqual([], writable)


BIN = None
if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]) else None
    skips.main()
