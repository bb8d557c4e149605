"""berth dock as users rely on it: inputs of every kind, files of every format, the same seed gives the same poses."""
import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import berth_cli as cli


class Outputs(cli.Case):
    def test_every_format(self):
        result = self.dock("--scoring", "ad4", "--format", "dlg,xml,pdbqt,json,csv")
        self.assert_well(result)
        self.assertEqual(self.files(), ["ligand.csv", "ligand.dlg", "ligand.json", "ligand.pdbqt", "ligand.xml"])
        data = json.loads((self.folder / "out/ligand.json").read_text())
        self.assertEqual(data["ligand"], "ligand")
        self.assertEqual(data["seed"], 7)
        self.assertEqual([run.get("further", False) for run in data["runs"][:3]], [False, False, True])
        for run in data["runs"]:
            self.assertAlmostEqual(run["free_energy"], run["inter"] + run["torsional"], places=2)
        tree = xml.parse(self.folder / "out/ligand.xml")
        self.assertEqual(len(tree.findall("./runs/run")), len(data["runs"]))
        rows = list(csv.DictReader(io.StringIO((self.folder / "out/ligand.csv").read_text())))
        self.assertEqual([row["run"] for row in rows], [str(run) for c in data["clusters"] for run in c["runs"]])
        self.assertEqual(len(rows), len(data["runs"]))
        self.assertIn("berth dock -r receptor.pdbqt", (self.folder / "out/ligand.dlg").read_text())
        self.assertIn("seed      7", result.stdout)

    def test_logs_hold_all_poses(self):
        """Further minima, too, in all clusters: the first row of their tables is the first pose of the docking."""
        for words in [], ["--rescore", "vinardo"], ["--poses", "1"]:
            with self.subTest(words=words):
                self.assert_well(self.dock("--scoring", "ad4", "--format", "dlg,xml", *words))
                data = json.loads((self.folder / "out/ligand.json").read_text())
                self.compare_logs(data, further="--poses" not in words)

    def compare_logs(self, data, further):
        runs, clusters = data["runs"], data["clusters"]
        table = [(c, k + 1, run) for c, cluster in enumerate(clusters, 1) for k, run in enumerate(cluster["runs"])]
        histogram = [(c, cluster["best_run"], len(cluster["runs"])) for c, cluster in enumerate(clusters, 1)]
        added = [run["run"] for run in runs if "further" in run]
        self.assertEqual(bool(added), further)
        dlg = (self.folder / "out/ligand.dlg").read_text()
        self.assertEqual([int(n) for n in re.findall(r"(?m)^DOCKED: MODEL +(\d+)$", dlg)], [run["run"] for run in runs])
        marked = re.findall(r"Run = (\d+)\nDOCKED: USER\nDOCKED: USER    Further minimum\n", dlg)
        self.assertEqual([int(n) for n in marked], added)
        self.assertRegex(dlg, rf"\nNumber of runs: +{len(runs)}\n")
        self.assertEqual(re.findall(r"\nFurther minima among them: +(\d+)\n", dlg), [str(len(added))] * further)
        ranking = re.findall(r"(?m)^ +(\d+) +(\d+) +(\d+) .* RANKING$", dlg)
        self.assertEqual([tuple(int(n) for n in row) for row in ranking], table)
        rows = re.findall(r"(?m)^ *(\d+) \| *(\S+) \| *(\d+) \| *\S+ \| *(\d+) \|(#+)$", dlg)
        self.assertEqual([(int(c), int(run), int(size)) for c, _, run, size, _ in rows], histogram)
        self.assertEqual([len(bar) for *_, bar in rows], [size for *_, size in histogram])
        tree = xml.parse(self.folder / "out/ligand.xml")
        by_id = {int(run.get("id")): run for run in tree.findall("./runs/run")}
        self.assertEqual(sorted(by_id), [run["run"] for run in runs])
        self.assertEqual(sorted(n for n, run in by_id.items() if run.findtext("further") == "1"), added)
        for run in runs:
            energy = float(by_id[run["run"]].findtext("free_NRG_binding"))
            self.assertAlmostEqual(energy, run["free_energy"], delta=0.00501)
        self.assertEqual([tuple(int(row.get(k)) for k in ("rank", "sub_rank", "run"))
                          for row in tree.findall("./result/rmsd_table/run")], table)
        self.assertEqual([tuple(int(row.get(k)) for k in ("cluster_rank", "run", "num_in_clus"))
                          for row in tree.findall("./result/clustering_histogram/cluster")], histogram)

    def test_one_format_only(self):
        self.assert_well(self.dock("--format", "csv", output="a/b/c"))
        self.assertEqual(self.files("a/b/c"), ["ligand.csv", "ligand.json"], "berth report reads the JSON")

    def test_json_line(self):
        result = self.dock("--json")
        self.assert_well(result)
        data = json.loads(result.stdout)
        self.assertEqual(data["ligand"], "ligand")
        self.assertEqual(data["runs"], 2)
        self.assertLess(data["best"]["free_energy"], 100)
        for path in data["files"]:
            self.assertTrue((self.folder / path).is_file(), path)

    def test_existing_results_are_replaced(self):
        self.assert_well(self.dock("--format", "csv"))
        before = (self.folder / "out/ligand.csv").read_bytes()
        self.assert_well(self.dock("--format", "csv", "--seed", "8"))
        self.assertNotEqual(before, (self.folder / "out/ligand.csv").read_bytes())

    def test_a_chosen_seed_is_printed_and_repeats(self):
        first = self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out", *cli.BOX, *cli.QUICK[:-2],
                           "--format", "pdbqt")
        self.assert_well(first)
        seed = re.search(r"(?m)^seed\s+(\d+)$", first.stdout).group(1)
        poses = (self.folder / "out/ligand.pdbqt").read_text()
        self.assert_well(self.dock("--seed", seed, "--format", "pdbqt"))
        self.assertEqual(poses, (self.folder / "out/ligand.pdbqt").read_text())

    def test_threads_do_not_change_poses(self):
        texts = []
        for threads in "1", "2", "5":
            self.assert_well(self.dock("--threads", threads, "--runs", "5", "--format", "pdbqt"))
            texts.append((self.folder / "out/ligand.pdbqt").read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_devices_share_the_work(self):
        """The plain kernels twice, once under each of their names: nothing may change."""
        words = ["--runs", "5", "--format", "pdbqt", "--seed", "3"]
        self.assert_well(self.dock("--device", "cpu", "--isa", "scalar", *words))
        alone = (self.folder / "out/ligand.pdbqt").read_text()
        self.assert_well(self.dock("--devices", "cpu/scalar", *words))
        self.assertEqual(alone, (self.folder / "out/ligand.pdbqt").read_text())
        result = self.dock("--devices", "cpu/scalar,cpu", "--json", *words)
        self.assert_well(result)
        self.assertTrue(json.loads(result.stdout)["device"].startswith("cpu/scalar,cpu/"))
        self.assertEqual(json.loads(result.stdout)["warning"], "")

    def test_a_search_stops_early_only_when_runs_agree(self):
        """With a threshold that always counts as converged, searches stop at the first test if the runs agree."""
        example = cli.SOURCE / "examples/1hpv"
        words = ["--autostop-tolerance", "100", "--autostop-interval", "1", "--evals", "20000", "--runs", "8",
                 "--autobox", example / "ligand-crystal.pdbqt", "--spacing", "0.7", "--scoring", "ad4"]
        evaluations = []
        for wanted in "0", "2", "8":
            self.assert_well(self.dock("--autostop-runs", wanted, *words, receptor=example / "receptor.pdbqt",
                                       ligands=[example / "ligand.pdbqt"], box=False))
            docking = json.loads((self.folder / "out/ligand.json").read_text())
            evaluations.append(docking["evaluations"])
            bests = sorted(run["search_energy"] for run in docking["runs"])
            if docking["autostopped"] and wanted != "0":
                self.assertLess(bests[int(wanted) - 1] - bests[0], 0.51)
        self.assertEqual(evaluations, sorted(evaluations))
        self.assertGreater(evaluations[2], evaluations[0])

    def test_the_table_tells_how_many_runs_agree(self):
        self.write("stiff.pdbqt", cli.ligand(atoms=6, torsions=0))
        result = self.dock("--runs", "6", "--rmsd-tolerance", "30", ligands=["stiff.pdbqt"])
        self.assertIn("6 of 6 runs agree on the pose of cluster 1\n", result.stdout)
        alone = ["--rmsd-tolerance", "0.000001", "--evals", "1", "--scoring", "vina", "--poses", "1"] # only runs are poses
        result = self.dock("--runs", "6", *alone, ligands=["stiff.pdbqt"])
        self.assertIn("! No other of the 6 runs found the pose of cluster 1: search longer, with more runs\n", result.stdout)

    def test_every_method(self):
        for options in (["--local-search", "none"], ["--local-search", "solis-wets"], ["--local-search", "adadelta"],
                        ["--local-search", "adam", "--format", "xml,json,dlg"], ["--devices", "all"],
                        ["--selection", "proportional", "--crossover", "uniform"], ["--autostop", "off"],
                        ["--effort", "screen"], ["--torsional", "branches"], ["--rmsd", "index"],
                        ["--isa", "scalar"], ["--device", "cpu"]):
            self.assert_well(self.dock("--format", "csv", *options))


class Progress(cli.Case):
    """A bar on a terminal, and no control characters anywhere else."""

    def command(self):
        self.write("ligand.pdbqt", cli.ligand(atoms=24, torsions=8))
        return [str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out", *cli.BOX, "--runs",
                "10", "--evals", "40k", "--autostop", "off", "--seed", "1", "--format", "csv", "--isa", "scalar"]

    def test_terminal(self):
        try:
            leader, follower = pty.openpty()
        except OSError as error: # a bare chroot, say
            self.skipTest("no pseudo terminal: %s" % error)
        process = subprocess.Popen(self.command(), cwd=self.folder, stdout=subprocess.PIPE, stderr=follower)
        os.close(follower)
        seen = b""
        while True:
            try:
                data = os.read(leader, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
        os.close(leader)
        output = process.communicate()[0]
        self.assertEqual(process.returncode, 0, seen)
        self.assertRegex(seen.decode(), r"\r\x1b\[K\[#*\.*\] +\d+%  ligand, .*evaluations")
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-100:])  # the bar is erased before the table
        self.assertNotIn(b"\x1b", output)

    def test_log(self):
        result = subprocess.run(self.command(), cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("\r", result.stdout + result.stderr)


class Inputs(cli.Case):
    def test_maps_from_fld_equal_computed_ones(self):
        self.assert_well(self.dock("--write-maps", "grid/rec", "--format", "pdbqt,csv"))
        self.assertIn("rec.maps.fld", self.files("grid"))
        computed = (self.folder / "out/ligand.csv").read_text()
        self.assert_well(self.dock("--format", "pdbqt,csv", receptor="grid/rec.maps.fld"))
        # the files have three decimals, so that a search may take another path; its pose is scored alike
        fields = [list(csv.DictReader(io.StringIO(t))) for t in (computed, (self.folder / "out/ligand.csv").read_text())]
        runs = [[row for row in rows if int(row["run"]) <= 2] for rows in fields]  # further minima may differ in number
        self.assertEqual([len(rows) for rows in runs], [2, 2])

    def test_folder_pattern_and_files(self):
        for name in "b", "a", "c":
            self.write(f"lib/{name}.pdbqt", cli.ligand())
        self.write("lib/readme.txt", "no ligand")
        self.write("lib/.hidden.pdbqt", "no ligand")
        result = self.dock("--format", "csv", "--json", ligands=["lib"])
        self.assert_well(result)
        self.assertEqual([json.loads(line)["ligand"] for line in result.stdout.splitlines()], ["a", "b", "c"])
        self.assertEqual(self.tables(), ["a.csv", "b.csv", "c.csv", "summary.csv"])
        self.assert_well(self.dock("--format", "csv", ligands=["lib/[ab].pdbqt"], output="out2"))
        self.assertEqual(self.tables("out2"), ["a.csv", "b.csv", "summary.csv"])

    def test_receptor_in_the_folder_is_no_ligand(self):
        self.assert_well(self.dock("--format", "csv", ligands=["."]))
        self.assertEqual(self.tables(), ["ligand.csv"])

    def test_same_name_twice(self):
        self.write("x/ligand.pdbqt", cli.ligand(torsions=1))
        self.assert_well(self.dock("--format", "csv", ligands=["ligand.pdbqt", "x/ligand.pdbqt"]))
        self.assertEqual(self.tables(), ["ligand-2.csv", "ligand.csv", "summary.csv"])

    def test_standard_input(self):
        self.assert_well(self.dock("--format", "csv", ligands=["-"], input=cli.ligand()))
        self.assertEqual(self.tables(), ["stdin.csv"])

    def test_many_models_in_one_file(self):
        text = "".join(f"MODEL {k}\n{cli.ligand(torsions=k)}ENDMDL\n" for k in (1, 2, 3))
        self.write("many.pdbqt", text)
        self.assert_well(self.dock("--format", "csv", ligands=["many.pdbqt"]))
        self.assertEqual(self.tables(), ["many_1.csv", "many_2.csv", "many_3.csv", "summary.csv"])
        self.assert_well(self.dock("--format", "csv", ligands=["-"], input=text, output="out2"))
        self.assertEqual(self.tables("out2"), ["stdin_1.csv", "stdin_2.csv", "stdin_3.csv", "summary.csv"])

    def test_summary_is_sorted(self):
        for name, atoms in ("small", 4), ("large", 12):
            self.write(f"{name}.pdbqt", cli.ligand(atoms=atoms, torsions=2))
        self.assert_well(self.dock(ligands=["small.pdbqt", "large.pdbqt"]))
        rows = list(csv.DictReader((self.folder / "out/summary.csv").read_text().splitlines()))
        energies = [float(row["free_energy"]) for row in rows]
        self.assertEqual(energies, sorted(energies))
        self.assertEqual([row["rank"] for row in rows], ["1", "2"])

    def test_autobox(self):
        result = self.dock("--autobox", "ligand.pdbqt", "--padding", "6", box=False)
        self.assert_well(result)
        extent = [5.0 + 12, 4.755 + 12, 2.0 + 12]
        size = [float(x) for x in re.search(r"box\s+([\d.]+) x ([\d.]+) x ([\d.]+)", result.stdout).groups()]
        for got, wanted in zip(size, extent):
            self.assertGreaterEqual(got + 0.001, wanted - 0.5)
            self.assertLess(got, wanted + 1.5)
        self.assert_well(self.dock("--autobox", "receptor.pdbqt:ALA", "--padding", "0", box=False))
        self.assert_well(self.dock("--autobox", "ligand.pdbqt", "--size", "14,14,14", box=False))
        self.assert_refused(self.dock("--autobox", "receptor.pdbqt:XYZ", box=False), "XYZ")
        self.assert_refused(self.dock("--autobox", "absent.pdbqt", box=False), "absent.pdbqt")

    def test_reference(self):
        self.assert_well(self.dock("--reference", "ligand.pdbqt", "--json"))
        self.write("other.pdbqt", cli.ligand(atoms=5, torsions=1))
        result = self.dock("--reference", "other.pdbqt")
        self.assertIn(result.returncode, (0, 1))
        self.assert_numbers(result)

    def test_flexible_residues(self):
        self.write("flex.pdbqt", cli.residues())
        self.assert_well(self.dock("--flex", "flex.pdbqt", "--format", "dlg,pdbqt,json"))
        poses = (self.folder / "out/ligand.pdbqt").read_text()
        self.assertEqual(poses.count("BEGIN_RES"), 4)

    def test_carriage_returns(self):
        self.write("crlf/ligand.pdbqt", cli.ligand().replace("\n", "\r\n"))
        self.write("receptor_crlf.pdbqt", cli.receptor().replace("\n", "\r\n"))
        self.assert_well(self.dock("--format", "pdbqt"))
        plain = (self.folder / "out/ligand.pdbqt").read_text()
        self.assert_well(self.dock("--format", "pdbqt", ligands=["crlf/ligand.pdbqt"], receptor="receptor_crlf.pdbqt"))
        other = (self.folder / "out/ligand.pdbqt").read_bytes()
        self.assertNotIn(b"\r", other)
        coordinates = re.compile(r"(?m)^(?:ATOM|HETATM).{24}(.{24})")
        self.assertEqual(coordinates.findall(plain), coordinates.findall(other.decode()))

    def test_large_ligands(self):
        for atoms, torsions in (300, 20), (80, 60), (300, 0):
            self.write("big.pdbqt", cli.ligand(atoms=atoms, torsions=torsions))
            result = self.dock("--center", "0,0,0", "--size", "80,80,80", "--spacing", "1", "--population", "10", "--evals",
                               "300", "--format", "dlg,csv,json", ligands=["big.pdbqt"], box=False)
            self.assert_well(result)

    def test_one_atom(self):
        self.write("ion.pdbqt", cli.ligand(atoms=1, torsions=0))
        self.assert_well(self.dock(ligands=["ion.pdbqt"]))

    def test_import_dpf(self):
        self.write("a.dpf", "# a comment\nga_pop_size 25\nga_num_evals 1200\nga_mutation_rate 0.05\nga_run 3\n")
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out", *cli.BOX, "--import-dpf",
                            "a.dpf", "--seed", "3")
        self.assert_well(result)
        self.assertIn("3 runs of 25 individuals", result.stdout)
        result = self.dock("--import-dpf", "a.dpf")
        self.assert_well(result)
        self.assertIn("2 runs of 20 individuals", result.stdout)
        self.write("b.dpf", "ga_pop_size many\n")
        self.assert_refused(self.dock("--import-dpf", "b.dpf", output="out2"), "b.dpf:1")


class Batches(cli.Case):
    def test_a_bad_ligand_does_not_stop_the_others(self):
        self.write("lib/a.pdbqt", cli.ligand())
        self.write("lib/b.pdbqt", cli.ligand().replace("ENDBRANCH   8   9\n", "").replace("ENDBRANCH   7   8\n", ""))
        self.write("lib/c.pdbqt", "\x00\x01binary")
        self.write("lib/d.pdbqt", cli.ligand(kinds=("C", "Xx")))
        self.write("lib/e.pdbqt", cli.ligand(torsions=1))
        result = self.dock(ligands=["lib", "absent.pdbqt"])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assert_numbers(result)
        for name in "b", "c", "d", "absent":
            self.assertEqual(len(re.findall(rf"(?m)^berth dock: rejected {name}: ", result.stderr)), 1, result.stderr)
        rows = list(csv.DictReader((self.folder / "out/rejects.csv").read_text().splitlines()))
        self.assertEqual([row["ligand"] for row in rows], ["b", "c", "d", "absent"])
        self.assertTrue(rows[2]["line"].isdigit() and rows[2]["atom"].isdigit(), rows[2])
        names = [name for name in self.files() if name.endswith(".pdbqt")]
        self.assertEqual(names, ["a.pdbqt", "e.pdbqt"])
        self.assertIn("2 docked, 4 rejected", result.stderr)

    def test_all_bad(self):
        self.write("lib/a.pdbqt", "nothing\n")
        self.write("lib/b.pdbqt", "")
        result = self.dock(ligands=["lib"])
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.files(), ["rejects.csv"])

    def test_an_old_list_of_rejects_goes(self):
        self.write("out/rejects.csv", "old")
        self.write("b.pdbqt", cli.ligand(torsions=1))
        self.assert_well(self.dock("--format", "csv", ligands=["ligand.pdbqt", "b.pdbqt"]))
        self.assertNotIn("rejects.csv", self.files())

    def test_missing_maps_are_listed_first(self):
        self.assert_well(self.dock("--scoring", "ad4", "--write-maps", "grid/rec"))
        self.write("lib/a.pdbqt", cli.ligand())
        self.write("lib/b.pdbqt", cli.ligand(kinds=("C", "Br")))
        self.write("lib/c.pdbqt", cli.ligand(kinds=("C", "I", "Br")))
        result = self.dock(receptor="grid/rec.maps.fld", ligands=["lib"], output="out2")
        self.assertEqual(result.returncode, 2, result.stderr)
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], r"Br \(2 ligands\), I \(1 ligand\)|I \(1 ligand\), Br \(2 ligands\)")
        self.assertRegex(result.stderr, r"rejected b: .*b\.pdbqt:\d+: atom 2: ")
        self.assertIn("a.pdbqt", self.files("out2"))

    def test_interrupt(self):
        for k in range(40):
            self.write(f"lib/l{k:02d}.pdbqt", cli.ligand(atoms=20, torsions=6))
        process = subprocess.Popen([str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-l", "lib", "-o", "out",
                                    *cli.BOX, "--runs", "4", "--evals", "60000", "--autostop", "off", "--population", "50",
                                    "--poses", "1", "--format", "csv", "--seed", "1"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            if any(name.endswith(".csv") for name in self.tables()):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, errors)
        done = [name for name in self.tables() if name.startswith("l")]
        self.assertIn(f"results of {len(done)} ligand", errors)
        self.assertLess(len(done), 40)
        for name in done:
            self.assertEqual(len((self.folder / "out" / name).read_text().splitlines()), 5)


if __name__ == "__main__":
    cli.main()
