"""Shared by the tests of the programs: running them, small synthetic molecules, and general checks.

A test file defines unittest cases and ends with berth_cli.main(). The folder of the programs is its first argument,
or BERTH_BIN. Exit code 77 tells CTest that everything was skipped.
"""
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import skips  # noqa: E402

BIN = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BERTH_BIN", "build/release/bin")).resolve()
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SHARED = pathlib.Path(os.environ.get("BERTH_SHARED", SOURCE.parent / "shared"))

# The networks of this build. Tests run without any, so that poses are ranked as on a machine without them; those of
# networks name a folder.
NETWORKS = os.environ.get("BERTH_TEST_NETWORKS") or str(BIN.parent / "share/berth/networks")
os.environ["BERTH_NETWORKS"] = "none"

# A quick search; its results do not matter here.
QUICK = ["--runs", "2", "--evals", "1500", "--population", "20", "--local-search-iterations", "20", "--seed", "7"]
BOX = ["--center", "0,0,0", "--size", "15,15,15"]
# Strain of every pose takes longer than a quick search. test_strain.py is about it, the others do without.
NO_STRAIN = ["--strain", "off"]


# --- synthetic molecules -----------------------------------------------------------------------------------

def atom(serial, name, x, y, z, charge, kind, residue="LIG", number=1, chain="A"):
    return (f"ATOM  {serial:5d} {name:^4s} {residue:<3s} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
            f"  1.00  0.00    {charge:6.3f} {kind:<2s}")


def receptor(radius=8.0, count=90):
    """Atoms on a sphere around the origin: a pocket with acceptors, donors and carbon."""
    lines, serial = [], 0
    for k in range(count):
        z = 1 - (2 * k + 1) / count
        phi = k * math.pi * (3 - math.sqrt(5))
        x, y = math.cos(phi) * math.sqrt(1 - z * z), math.sin(phi) * math.sqrt(1 - z * z)
        kind, charge = [("C", 0.1), ("OA", -0.3), ("C", 0.05), ("N", -0.3), ("A", 0.02)][k % 5]
        serial += 1
        lines.append(atom(serial, kind[0], radius * x, radius * y, radius * z, charge, kind, "ALA", k // 5 + 1))
        if kind == "N":
            serial += 1
            lines.append(atom(serial, "H", (radius - 1) * x, (radius - 1) * y, (radius - 1) * z, 0.2, "HD", "ALA",
                              k // 5 + 1))
    return "\n".join(lines) + "\nTER\n"


def coil(index):
    """A point of a helix whose neighbors are 1.56 Angstrom apart."""
    return 2.5 * math.cos(0.6283 * index), 2.5 * math.sin(0.6283 * index), 0.25 * index


def written(docking, most=9):
    """The poses of a docking's JSON that its SDF and PDBQT hold: the best of each cluster."""
    poses = {run["run"]: run for run in docking["runs"]}
    return [poses[cluster["best_run"]] for cluster in docking["clusters"][:most]]


def ligand(atoms=9, torsions=3, kinds=("C", "OA", "C", "N", "A", "C"), shift=(0, 0, 0), middle=True, remarks=()):
    """A chain whose last bonds are rotatable; every BRANCH has one atom, the last two."""
    tail = torsions + 1 if torsions else 0
    root = atoms - tail
    assert root >= 1
    low = 0.25 * (atoms - 1) / 2 if middle else 0
    lines = [f"REMARK {r}" for r in remarks]

    def write(i):
        x, y, z = coil(i)
        charge = (0.12, -0.15, 0.03)[i % 3]
        lines.append(atom(i + 1, kinds[i % len(kinds)][0], x + shift[0], y + shift[1], z - low + shift[2], charge,
                          kinds[i % len(kinds)]))

    lines.append("ROOT")
    for i in range(root):
        write(i)
    lines.append("ENDROOT")
    for t in range(torsions):
        i = root + t
        lines.append(f"BRANCH {i:3d} {i + 1:3d}")
        write(i)
    if torsions:
        write(atoms - 1)
    for t in reversed(range(torsions)):
        i = root + t
        lines.append(f"ENDBRANCH {i:3d} {i + 1:3d}")
    lines.append(f"TORSDOF {torsions}")
    return "\n".join(lines) + "\n"


def residues():
    """Two flexible side chains on the wall of the pocket."""
    lines, serial = [], 1
    for number, sign in ((42, 1), (57, -1)):
        lines.append(f"BEGIN_RES SER A {number:3d}")
        lines.append("ROOT")
        for name, distance in (("CA", 9.5),):
            lines.append(atom(serial, name, sign * distance, 0, 0, 0.1, "C", "SER", number))
        lines.append("ENDROOT")
        lines.append(f"BRANCH {serial:3d} {serial + 1:3d}")
        lines.append(atom(serial + 1, "CB", sign * 8.0, 0.2, 0, 0.1, "C", "SER", number))
        lines.append(atom(serial + 2, "OG", sign * 7.5, 1.5, 0.3, -0.4, "OA", "SER", number))
        lines.append(atom(serial + 3, "HG", sign * 6.6, 1.5, 0.5, 0.2, "HD", "SER", number))
        lines.append(f"ENDBRANCH {serial:3d} {serial + 1:3d}")
        lines.append(f"END_RES SER A {number:3d}")
        serial += 4
    return "\n".join(lines) + "\n"


# --- running programs --------------------------------------------------------------------------------------

class Case(unittest.TestCase):
    """Each test has a temporary folder with receptor.pdbqt and ligand.pdbqt."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="berth-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("receptor.pdbqt", receptor())
        self.write("ligand.pdbqt", ligand())

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def path(self, name):
        return str(self.folder / name)

    def run_program(self, program, *arguments, input=None, stdin=None, timeout=300):
        environment = dict(os.environ)
        # with glibc 2.36, the sanitizer misreads headers of dynamic thread-local storage, and crashes at the exit
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1:intercept_tls_get_addr=0"
        environment["LSAN_OPTIONS"] = f"suppressions={SOURCE / 'tests/leaks.supp'}:print_suppressions=0"
        return subprocess.run([str(BIN / program), *map(str, arguments)], cwd=self.folder, input=input, stdin=stdin, text=True,
                              capture_output=True, timeout=timeout, errors="replace", env=environment)

    def berth(self, *arguments, **options):
        return self.run_program("berth", *arguments, **options)

    def dock(self, *arguments, receptor="receptor.pdbqt", ligands=("ligand.pdbqt",), output="out", box=True, **options):
        """berth dock with a quick search; the receptor is a .pdbqt, the box 15 Angstrom; results are overwritten."""
        given = BOX if box and str(receptor).endswith(".pdbqt") else []
        return self.berth("dock", "-r", receptor, "-l", *ligands, "-o", output, "--overwrite", *given, *QUICK, *NO_STRAIN, *arguments,
                          **options)

    def files(self, folder="out"):
        root = self.folder / folder
        return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()) if root.is_dir() else []

    def tables(self, folder="out"):
        """All files but the JSON that every docking writes."""
        return [name for name in self.files(folder) if not name.endswith(".json")]

    def assert_well(self, result, code=0):
        self.assertEqual(result.returncode, code, f"{result.args}\n{result.stdout}\n{result.stderr}")
        self.assert_numbers(result)

    def assert_refused(self, result, *words, code=1):
        """One clear line on standard error, nothing that looks like a crash, the exit code, no partial file."""
        text = f"{result.args}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, text)
        lines = result.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, text)
        self.assertRegex(lines[0], r"^berth", text)
        for word in words:
            self.assertIn(str(word), lines[0], text)
        self.assert_numbers(result)

    def assert_numbers(self, result):
        """No result contains a NaN or an infinity, and no file is incomplete."""
        for name in [result.stdout] + [p.read_text(errors="replace") for p in self.folder.glob("out*/*")
                                       if p.suffix in (".dlg", ".xml", ".json", ".csv") and p.is_file()]:
            for word in name.lower().replace(",", " ").replace(":", " ").replace("=", " ").split():
                self.assertNotIn(word.strip("+-<>/\"'"), ("nan", "inf", "infinity"), name[:2000])
        for path in self.folder.rglob("*"):
            self.assertNotRegex(path.name, r"\.[A-Za-z0-9]{6}$|\.tmp$|\.part$", "left behind")


def shared(*parts):
    """A path of the shared data; skips without it."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        raise unittest.SkipTest(f"{path} is absent")
    return path


def main():
    skips.main(sys.argv[2:])
