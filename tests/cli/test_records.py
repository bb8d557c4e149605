"""A bad record never stops a screen, and a failure that is not the record's fault never rejects it."""
import gzip
import io
import os
import resource
import subprocess
import tarfile

import berth_cli as cli
import molecules
import test_screen
from test_raw_dock import needs_rdkit


def v3000(name, counts):
    """Methane with wrong counts."""
    return (f"{name}\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS {counts}\n"
            "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 END ATOM\nM  V30 END CTAB\nM  END\n$$$$\n")


class Case(test_screen.Case):
    def states(self, output="out"):
        return dict(self.query("SELECT name, state FROM ligand", output))


class Records(Case):
    @needs_rdkit
    def test_counts_are_checked_against_the_record(self):
        records = [molecules.ethanol("first")]
        records += [v3000(f"v{k}", counts) for k, counts in enumerate((
            "2147483647 0 0 0 0", "1 2147483647 0 0 0", "1 0 2147483647 0 0", "400000000 0 0 0 0", "-1 0 0 0 0"))]
        records.append(v3000("group", "1 0 1 0 0").replace("M  V30 END CTAB", (
            "M  V30 BEGIN SGROUP\nM  V30 1 DAT 1 ATOMS=(4294967295 1)\nM  V30 END SGROUP\nM  V30 END CTAB")))
        self.write("all.sdf", "".join(records) + molecules.ethanol("last"))
        result = self.screen(library="all.sdf", code=2)
        states = self.states()
        self.assertEqual({n for n, s in states.items() if s == "docked"}, {"first", "last"}, result.stderr)
        self.assertEqual(len(states), 8)
        (reason,), = self.query("SELECT reason FROM ligand WHERE name = 'v0'")
        self.assertIn("2147483647 atoms in a record of", reason)
        self.assertIn("all.sdf:", reason)
        bad = molecules.mol2("bad").splitlines()
        bad[2] = "2147483647 8 1 0 0"
        self.write("all.mol2", molecules.mol2("first") + "\n".join(bad) + "\n" + molecules.mol2("last"))
        self.screen(library="all.mol2", output="mol2", code=2)
        self.assertEqual(self.states("mol2"), {"first": "docked", "bad": "rejected", "last": "docked"})

    @needs_rdkit
    def test_time_is_limited_and_rejected_ligands_are_tried_again(self):
        self.write("all.smi", "CCO one\nCCCO two\nCCCCO three\n")
        self.screen("--record-time", "0.000000001", library="all.smi", code=1)
        self.assertEqual(set(self.states().values()), {"rejected"})
        (reason,), = self.query("SELECT DISTINCT substr(reason, instr(reason, 'preparation')) FROM ligand")
        self.assertEqual(reason, "preparation took longer than 1e-09 s; leave it out, or raise --record-time")
        self.screen("--resume", library="all.smi", code=1)  # all are done, though rejected
        self.assertEqual(set(self.states().values()), {"rejected"})
        self.screen("--retry", "failed", library="all.smi", code=1)
        self.assertEqual(set(self.states().values()), {"rejected"})
        self.screen("--retry", "rejected", library="all.smi")
        self.screen(library="all.smi", output="whole")
        self.assertEqual(self.results("whole"), self.results())
        self.assertEqual(self.query("SELECT value FROM setting WHERE key IN ('complete', 'total') ORDER BY key"),
                         [("1",), ("3",)])

    def test_more_atoms_than_any_ligand_has(self):
        self.make_library(2)
        self.write("library/huge.pdbqt", cli.ligand(atoms=10001, torsions=0))
        self.screen(code=2)
        self.assertEqual(self.states(), {"huge": "rejected", "lig0000": "docked", "lig0001": "docked"})


class Memory(Case):
    """Compressed files that unpack to a thousand times their size."""

    @staticmethod
    def packed(megabytes, line):
        block = line * ((10 << 20) // len(line))
        return gzip.compress(block, 1) * (megabytes // 10)

    def peak(self, *arguments):
        """Exit code, messages and the largest resident memory in MB."""
        with open(self.path("messages"), "wb") as stream:
            process = subprocess.Popen([str(cli.BIN / "berth"), *arguments], cwd=self.folder, stdout=stream,
                                       stderr=stream)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, (self.folder / "messages").read_text(), usage.ru_maxrss / 1024

    def assert_below(self, peak, megabytes):
        if os.environ.get("BERTH_TEST_SHORT") != "1":  # sanitizers need additional memory
            self.assertLess(peak, megabytes)

    def test_a_packed_file_in_an_archive_is_never_whole_in_memory(self):
        member = self.packed(500, b"REMARK" + b" " * 90000 + b"\n") + gzip.compress(cli.ligand().encode())
        with tarfile.open(self.path("all.tar"), "w") as tar:
            for name in "first", "second":
                data = cli.ligand().encode() if name == "first" else gzip.compress(b"MODEL 1\n") + member
                info = tarfile.TarInfo(name + (".pdbqt" if name == "first" else ".pdbqt.gz"))
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        code, messages, peak = self.peak("prep", "library", "-l", "all.tar", "-o", "all.btl")
        self.assertEqual(code, 2, messages)
        self.assertIn("record 1 has more than 64 MiB", messages)
        self.assertIn("1 ligand", messages)
        self.assert_below(peak, 400)

    def test_a_structure_has_a_largest_size(self):
        self.write("bomb.pdb.gz", self.packed(1000, b"REMARK" + b" " * 73 + b"\n"))
        code, messages, peak = self.peak("prep", "receptor", "bomb.pdb.gz", "-o", "bomb")
        self.assertEqual(code, 1, messages)
        self.assertIn("more than 256 MiB", messages)
        self.assert_below(peak, 1000)


class PassingFaults(Case):
    def limited(self, files, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        return subprocess.run([str(cli.BIN / "berth"), *arguments], cwd=self.folder, capture_output=True, text=True,
                              preexec_fn=limit, timeout=300)

    def test_too_few_open_files_reject_nothing(self):
        self.make_library(6)
        self.screen(output="whole")
        stopped = 0
        for files in range(5, 13):
            output = f"files{files}"
            result = self.limited(files, *self.command(output=output))
            stopped += result.returncode != 0
            if (self.folder / output / "screen.db").exists() and result.returncode == 0:
                self.assertEqual(self.results("whole"), self.results(output))
                continue
            self.assertNotIn("rejected", result.stdout, files)
            self.screen("--resume", output=output)
            self.assertEqual(self.results("whole"), self.results(output))
        self.assertGreater(stopped, 0)

    def test_a_file_of_its_own_fault_is_a_reject(self):
        self.make_library(2)
        os.symlink("nowhere", self.path("library/link.pdbqt"))
        cut = gzip.compress(cli.ligand().encode())
        self.write("library/cut.pdbqt.gz", cut[:len(cut) // 2])
        self.screen(code=2)
        self.assertEqual({n: s for n, s in self.states().items() if s != "docked"},
                         {"link": "rejected", "cut": "rejected"})


if __name__ == "__main__":
    if test_screen.without_sqlite():
        raise SystemExit(77)
    cli.main()
