"""Hydrated docking of amprenavir into HIV protease: the waters in the outputs against an independent computation."""
import json
import math
import re

import berth_cli as cli
import report_page
from test_contacts import atoms_of
from test_raw_dock import needs_rdkit

EXAMPLE = cli.SOURCE / "examples/1hpv"
STATES = ("strong", "weak", "displaced")


def heavy(atoms):
    """Coordinates of heavy atoms, without waters and pseudo atoms."""
    return [a[5] for a in atoms if a[4] not in ("H", "HD", "HS", "W", "TZ") and not re.fullmatch(r"G\d", a[4])]


def state_of(energy, nearest):
    if nearest is not None and nearest < 2.03:
        return "displaced"
    return "strong" if energy < -0.5 else "weak" if energy < -0.3 else "displaced"


@needs_rdkit
class Waters(cli.Case):
    def hydrated(self, *words):
        result = self.dock("--hydrated", "--scoring", "ad4", "--autobox", EXAMPLE / "ligand-crystal.pdbqt", "--spacing",
                           "0.5", "--runs", "3", "--complex", "pdb", "--format", "pdbqt,dlg,sdf,csv", *words,
                           receptor=EXAMPLE / "receptor.pdbqt", ligands=[EXAMPLE / "amprenavir.smi"], box=False)
        self.assert_well(result)
        (path,) = (p for p in (self.folder / "out").glob("*.json") if "ligand_pdbqt" in p.read_text())
        return result, json.loads(path.read_text()), path.with_suffix("")

    def test_states_follow_the_rules(self):
        _, docking, _ = self.hydrated()
        receptor = heavy(atoms_of((EXAMPLE / "receptor.pdbqt").read_text()))
        atoms = atoms_of(docking["ligand_pdbqt"])
        seen = set()
        for run in docking["runs"]:
            xyz = run["coordinates"]
            places = [tuple(xyz[3 * i:3 * i + 3]) for i in range(len(atoms))]
            self.assertEqual([w["ligand_atom"] - 1 for w in run["waters"]], [i for i, a in enumerate(atoms) if a[4] == "W"])
            single = {w["ligand_atom"] for w in run["waters"]} - {w.get("into") for w in run["waters"]}
            for water in run["waters"]:
                seen.add(water["state"])
                own = water["ligand_atom"] - 1
                if water["state"] == "merged":
                    self.assertIn("into", water)
                    continue
                if own + 1 in single:
                    self.assertLess(math.dist(water["place"], places[own]), 0.002)
                anchor = max(i for i in range(own) if atoms[i][4] != "W")
                others = [places[i] for i, a in enumerate(atoms) if i != anchor and a[4] not in ("HD", "W")]
                nearest = min(math.dist(water["place"], x) for x in receptor + others)
                if water["distance"] is None:
                    self.assertGreater(nearest, 4.99)
                else:
                    self.assertAlmostEqual(nearest, water["distance"], delta=0.003)
                if abs(nearest - 2.03) > 0.003 and min(abs(water["energy"] - e) for e in (-0.5, -0.3)) > 0.001:
                    self.assertEqual(water["state"], state_of(water["energy"], nearest))
        self.assertTrue({"displaced"} < seen, seen)

    def test_every_output_tells(self):
        result, docking, stem = self.hydrated()
        best = docking["runs"][docking["clusters"][0]["best_run"] - 1]
        counts = [sum(w["state"] == s for w in best["waters"]) for s in STATES]
        words = ", ".join(f"{n} {s}" for n, s in zip(counts, STATES))
        self.assertIn(f"Waters of the best pose: {words}\n", result.stdout)
        remarks = re.findall(r"(?m)^REMARK BERTH water \d+ \S+ (\w+)", stem.with_suffix(".pdbqt").read_text())
        self.assertEqual(len(remarks), sum(len(run["waters"]) for run in cli.written(docking)))
        self.assertEqual(remarks[:len(best["waters"])], [w["state"] for w in best["waters"]])
        logged = re.findall(r"(?m)^DOCKED: USER    Hydration water \d+ \S+ (\w+)", stem.with_suffix(".dlg").read_text())
        self.assertEqual(logged, [w["state"] for run in docking["runs"] for w in run["waters"]])
        self.assertTrue(stem.with_suffix(".csv").read_text().splitlines()[1].endswith(",".join(map(str, counts))))
        sdf = stem.with_suffix(".sdf").read_text()
        for state, count in zip(STATES, counts):
            self.assertEqual(re.findall(rf"> +<waters_{state}>.*\n(\d+)\n", sdf)[0], str(count))
        oxygens = [line for line in stem.with_suffix(".complex.pdb").read_text().splitlines() if line[17:20] == "HOH"]
        kept = [w["place"] for w in best["waters"] if w["state"] in ("strong", "weak")]
        self.assertEqual([[float(line[k:k + 8]) for k in (30, 38, 46)] for line in oxygens[-len(kept) or len(oxygens):]], kept)
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        shown = report_page.data_of(self.folder / "page.html")["details"][0]["poses"][0]["waters"]
        self.assertEqual([w[1] for w in shown], [w["state"] for w in best["waters"]])

    def test_poses_keep_their_energy(self):
        """Displaced waters stay in PDBQT files, with their contribution to the energy."""
        _, docking, stem = self.hydrated()
        result = self.berth("score", "-r", EXAMPLE / "receptor.pdbqt", "-l", stem.with_suffix(".pdbqt"), "--json")
        self.assert_well(result)
        scored = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(scored), len(cli.written(docking)))
        self.assertGreater(len(scored), 3)
        for pose, run in zip(scored, cli.written(docking)):
            self.assertAlmostEqual(pose["energy"]["free_energy"], run["free_energy"], places=4)

    def test_a_dry_ligand_has_none(self):
        self.assert_well(self.dock("--scoring", "ad4", "--format", "pdbqt,csv"))
        self.assertNotIn("waters", (self.folder / "out/ligand.json").read_text())
        self.assertNotIn("water", (self.folder / "out/ligand.pdbqt").read_text())
        self.assertNotIn("water", (self.folder / "out/ligand.csv").read_text())


if __name__ == "__main__":
    cli.main()
