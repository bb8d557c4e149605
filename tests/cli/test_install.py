"""An installation by `cmake --install` works: programs, and the library through pkg-config and find_package."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import berth_cli as cli

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(berth REQUIRED)
foreach(name IN ITEMS dock score screen)
  add_executable(${name} %s/${name}.c)
  target_link_libraries(${name} PRIVATE berth::berth)
endforeach()
"""


class Install(cli.Case):
    def setUp(self):
        super().setUp()
        build = cli.BIN.parent
        if not (build / "lib").is_dir():
            self.skipTest("this build has no shared library")
        self.prefix = self.folder / "prefix"
        self.call("cmake", "--install", build, "--prefix", self.prefix)
        self.library = next(self.prefix.glob("lib*/**/libberth.so"))

    def call(self, *command, **options):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=self.folder, check=False,
                              **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def score(self, program):
        return self.call(program, "receptor.pdbqt", "ligand.pdbqt", "ligand.pdbqt", env=dict(os.environ, LD_LIBRARY_PATH=self.library.parent))

    def test_programs(self):
        self.assertIn("berth 0.", self.call(self.prefix / "bin/berth", "--version"))
        for name in ("berth", "berth-adgpu", "berth-autogrid", "berth-bench"):
            self.assertTrue(os.access(self.prefix / "bin" / name, os.X_OK), name)

    def test_networks(self):
        built = cli.BIN.parent / "share/berth/networks"
        if not built.is_dir():
            self.skipTest("this build has no networks: scripts/networks fetches them")
        where = {name: value for name, value in os.environ.items() if name != "BERTH_NETWORKS"}
        listed = self.call(self.prefix / "bin/berth", "networks", "--json", env=dict(where, XDG_DATA_HOME=str(self.folder)))
        paths = sorted(json.loads(line)["path"] for line in listed.splitlines())
        self.assertEqual(paths, sorted(str(self.prefix / "share/berth/networks" / path.name) for path in built.glob("*.btn")))
        self.assertTrue((self.prefix / "share/berth/networks/LICENSE.gninatorch").is_file())

    def test_program_alone(self):
        """Residues, parameters, the page and its viewer are built in: programs need no data folder and no home."""
        program, place = self.folder / "alone" / "berth", self.folder / "place"
        program.parent.mkdir()
        place.mkdir()
        shutil.copy(self.prefix / "bin/berth", program)
        shutil.rmtree(self.prefix)
        where = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS") if name in os.environ}
        built = json.loads(self.call(program, "--version", "--json", env=where))["features"]
        self.call(program, "dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "place/out", *cli.BOX, *cli.QUICK,
                  "--scoring", "ad4", env=where)
        self.call(program, "report", "place/out", "-o", "place/page.html", env=where)
        page = (place / "page.html").read_text()
        self.assertIn("ligand", page)
        if built["viewer"]:
            self.assertIn("NGL", page)
        if built["gemmi"]:
            shutil.copy(cli.SOURCE / "examples/1hpv/1hpv.pdb", place)
            self.call(program, "prep", "receptor", "place/1hpv.pdb", "--delete", "478", "-o", "place/prepared.pdbqt",
                      env=where)

    def test_pages_and_completion(self):
        pages = {path.name.removesuffix(".gz") for path in (self.prefix / "share/man/man1").iterdir()}
        self.assertTrue({"berth.1", "berth-dock.1", "berth-screen.1", "berth-prep-ligand.1"} <= pages, pages)
        for program in (self.prefix / "bin").iterdir():
            self.assertIn(program.name + ".1", pages)
        commands = re.findall(r"(?m)^  ([a-z]+) ", self.call(self.prefix / "bin/berth", "--help"))
        self.assertIn("screen", commands)
        self.assertEqual({f"berth-{name}.1" for name in commands} - pages, {"berth-prep.1"})  # its commands have pages
        benchmarks = re.findall(r"(?m)^  (\w+) ", self.call(self.prefix / "bin/berth-bench", "--help"))
        self.assertIn("evals", benchmarks)
        self.assertEqual({f"berth-bench-{name}.1" for name in benchmarks} - pages, set())
        for name in ("bash-completion/completions/berth", "zsh/site-functions/_berth", "fish/vendor_completions.d/berth.fish"):
            self.assertIn("--help=words", (self.prefix / "share" / name).read_text())

    @unittest.skipUnless(shutil.which("nm"), "no nm")
    def test_symbols(self):
        """All that the public headers declare, and nothing else."""
        symbols = {line.split()[-1].split("@")[0] for line in self.call("nm", "-D", "--defined-only", self.library).splitlines()}
        declared = set()
        for header in (self.prefix / "include/berth").glob("*.h"):
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
            text = re.sub(r"^#.*\\(\n.*\\)*\n.*$", "", text, flags=re.MULTILINE)
            declared |= set(re.findall(r"(?m)^[a-z][^;{}()]*[ *](bt_[a-z0-9_]+)\(", text))
        symbols = {name for name in symbols if not name.startswith("BERTH_")}
        self.assertGreater(len(declared), 100)
        self.assertEqual(declared - symbols, set())
        self.assertEqual({name for name in symbols if not name.startswith("bt_")}, set())

    @unittest.skipUnless(shutil.which("pkg-config") and shutil.which("cc"), "no pkg-config or no C compiler")
    def test_pkg_config(self):
        moved = self.folder / "elsewhere"  # the folder may be moved
        self.prefix.rename(moved)
        self.library = next(moved.glob("lib*/**/libberth.so"))
        where = dict(os.environ, PKG_CONFIG_PATH=self.library.parent / "pkgconfig")
        flags = self.call("pkg-config", "--cflags", "--libs", "berth", env=where).split()
        self.call("cc", cli.SOURCE / "examples/c/score.c", *flags, "-o", "user")
        self.assertRegex(self.score("./user"), "ligand: .* kcal/mol")

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_find_package(self):
        self.write("user/CMakeLists.txt", PROJECT % pathlib.Path(cli.SOURCE, "examples/c"))
        self.call("cmake", "-S", "user", "-B", "made", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.call("cmake", "--build", "made")
        self.assertRegex(self.score("made/score"), "ligand: .* kcal/mol")


class Configure(cli.Case):
    def configure(self, *options):
        without = [f"-DBERTH_WITH_{name}=OFF" for name in ("RDKIT", "GEMMI", "CUDA", "HIP", "OMPTARGET", "MPI", "STUDIES")]
        return subprocess.run(["cmake", "-S", cli.SOURCE, "-B", self.folder / "made", "-DBERTH_BUILD_TESTS=OFF", *without,
                               *options], capture_output=True, text=True, check=False)

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("cc"), "no CMake or no C compiler")
    def test_shared_library(self):
        """No static library is installed: asking for one is refused with a message; the shared one is the default."""
        refused = self.configure("-DBUILD_SHARED_LIBS=OFF")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(" ".join(refused.stderr.split()), "BUILD_SHARED_LIBS is OFF, but .* libberth.so .* leave BUILD_SHARED_LIBS out")
        done = self.configure("-DBUILD_SHARED_LIBS=ON")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    cli.main()
