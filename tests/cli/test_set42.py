"""Real complexes: berth dock and berth-adgpu find the known minimum of 1ac8 and handle 7cpa and a batch."""
import csv
import gzip
import json
import re
import unittest

import berth_cli as cli


class Set42(cli.Case):
    def complex(self, name):
        """Unpacks maps and ligands of a complex into the test's folder."""
        source = cli.shared("data", "set42", name)
        for path in source.iterdir():
            data = path.read_bytes()
            if path.suffix == ".gz":
                self.write(f"{name}/{path.stem}", gzip.decompress(data))
            else:
                self.write(f"{name}/{path.name}", data)
        return name

    def known_minimum(self, name):
        text = cli.shared("data", "set42", "ligand_properties.csv").read_text()
        for row in csv.DictReader(text.splitlines()):
            if row["pdb"] == name:
                return float(row["score_of_probable_global_minimum"] or row["best_score_so_far"])
        raise KeyError(name)

    def test_1ac8_from_maps_and_from_the_receptor(self):
        name = self.complex("1ac8")
        best = {}
        fld = (self.folder / name / "protein.maps.fld").read_text()
        center = ",".join(re.search(r"#CENTER (\S+) (\S+) (\S+)", fld).groups())
        points = [int(n) for n in re.search(r"#NELEMENTS (\d+) (\d+) (\d+)", fld).groups()]
        spacing = float(re.search(r"#SPACING (\S+)", fld).group(1))
        size = ",".join(str(n * spacing) for n in points)
        for receptor, box in ((f"{name}/protein.maps.fld", []),
                              (f"{name}/protein.pdbqt", ["--scoring", "ad4", "--center", center, "--size", size, "--spacing", spacing])):
            result = self.berth("dock", "-r", receptor, "-l", f"{name}/rand-0.pdbqt", "--reference", f"{name}/flex-xray.pdbqt",
                                "-o", "out", "--runs", "10", "--evals", "100k", "--seed", "1", "--json", *box, timeout=600)
            self.assert_well(result)
            data = json.loads(result.stdout)
            best[receptor] = data["best"]["inter"] + data["best"]["intra"]
        for receptor, energy in best.items():
            self.assertLess(abs(energy - self.known_minimum("1ac8")), 0.3, best)
        first, second = best.values()
        self.assertAlmostEqual(first, second, delta=0.05)

    def test_adgpu_batch_of_random_starts(self):
        name = self.complex("1ac8")
        self.write(f"{name}/list.txt", "protein.maps.fld\nflex-xray.pdbqt*\nrand-0.pdbqt\nrand-1.pdbqt\nrand-2.pdbqt\n")
        result = self.run_program("berth-adgpu", "--filelist", f"{name}/list.txt", "--nrun", "5", "--seed", "3", timeout=600)
        self.assert_well(result)
        for k in range(3):
            dlg = (self.folder / name / f"rand-{k}.dlg").read_text()
            energies = [float(e) for e in re.findall(r"\(1\) Final Intermolecular Energy     = *([-+\d.]+)", dlg)]
            self.assertEqual(len(energies), 5)
            self.assertLess(min(energies), self.known_minimum("1ac8") + 0.3)

    def test_7cpa_lacks_no_map_and_repeats(self):
        name = self.complex("7cpa")
        poses = []
        for threads in "1", "2":
            result = self.berth("dock", "-r", f"{name}/protein.maps.fld", "-l", f"{name}/rand-0.pdbqt", "-o", "out", "--runs",
                                "2", "--evals", "30k", "--seed", "1", "--threads", threads, "--format", "pdbqt,dlg", timeout=600)
            self.assert_well(result)
            poses.append((self.folder / "out/rand-0.pdbqt").read_text())
        self.assertEqual(poses[0], poses[1])

    def test_a_foreign_receptor_lacks_a_map(self):
        self.complex("7cpa")
        name = self.complex("1ac8")
        result = self.berth("dock", "-r", f"{name}/protein.maps.fld", "-l", "7cpa/rand-0.pdbqt", "-o", "out")
        self.assert_refused(result, "7cpa/rand-0.pdbqt")


if __name__ == "__main__":
    cli.main()
