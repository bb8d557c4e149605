"""berth report: the pages of a docking and of a 500-ligand screen, tested in headless Chromium."""
import base64
import csv
import json
import math
import pathlib
import sqlite3
import unittest

import berth_cli as cli
import browser
import report_page
from test_raw_dock import needs_rdkit

ACIDS = ["CC", "CCC", "CC(C)C", "c1ccccc1", "c1ccncc1", "C1CCCCC1", "c1ccc(Cl)cc1", "c1ccc(F)cc1", "c1ccc(O)cc1", "c1ccco1", "c1cccs1",
         "CCOC", "CS(C)(=O)=O", "CN(C)C", "c1ccc(N)cc1", "CC#N", "C1CCOC1", "c1c[nH]cn1", "c1ccc2ccccc2c1", "CCO", "c1ccc(C#N)cc1", "CC(N)=O"]
AMINES = ["NC", "NCC", "NCCO", "Nc1ccccc1", "NCc1ccccc1", "N1CCOCC1", "N1CCCCC1", "NCCN", "NC1CC1", "NCC(C)C", "Nc1ccncc1", "NCCc1ccccc1",
          "N1CCCC1", "NCC(=O)O", "NCCOC", "NO", "Nc1ccc(F)cc1", "NCc1cccnc1", "NC1CCCCC1", "NCCS", "N(C)C", "NN", "NCC#C"]


def amides():
    """About 500 small molecules: amides of each acid with each amine. Those with a hydroxamic acid count as actives."""
    for i, acid in enumerate(ACIDS):
        for k, amine in enumerate(AMINES):
            yield f"O=C({acid}){amine} {'active' if amine == 'NO' else 'amide'}-{i}-{k}"


class Files(report_page.Case):
    """Tests without a browser."""

    def test_page_of_a_docking(self):
        """Poses by energy, or in the order of the clusters when these were re-ranked."""
        orders = {"ad4": lambda row: (float(row["free_energy"]), int(row["run"])),
                  None: lambda row: (int(row["cluster"]), int(row["rank_in_cluster"]))}
        for scoring, order in orders.items():
            self.assert_well(self.dock("--runs", "5", *(["--scoring", scoring] if scoring else [])))
            data = report_page.data_of(self.report())
            self.assertEqual(data["kind"], "dock")
            rows = list(csv.DictReader((self.folder / "out/ligand.csv").read_text().splitlines()))
            poses = data["details"][0]["poses"]
            self.assertEqual(len(poses), len(rows))
            self.assertEqual(len(data["details"][0]["runs"]), 5)
            for row, pose in zip(sorted(rows, key=order), poses):
                self.assertAlmostEqual(float(row["free_energy"]), pose["free"], delta=0.006)
                self.assertAlmostEqual(float(row["inter"]), pose["inter"], delta=0.006)
                self.assertAlmostEqual(float(row["rmsd_reference"]), pose["rmsd"], delta=0.006)
        self.assertIn("receptor", data, "its path is in the JSON")
        self.assertEqual(dict(data["facts"])["Seed"], "7")

    @needs_rdkit
    def test_the_docked_isomer_is_shown(self):
        """SMILES and drawing of a ligand without stereochemistry were those of the input."""
        self.write("in/l.smi", "CC(C)Cc1ccc(cc1)C(C)C(=O)O open\nC[C@@H](C(=O)O)c1ccccc1 known\nCCO none\n")
        self.assert_well(self.dock("--format", "sdf,json", ligands=["in/l.smi"]))
        data = report_page.data_of(self.report())
        named = {row[data["columns"].index("name")]: detail for row, detail in zip(data["rows"], data["details"])}
        smiles = {name: json.loads((self.folder / f"out/{name}.json").read_text())["smiles"] for name in named}
        self.assertEqual({name: detail["smiles"] for name, detail in named.items()}, smiles)
        self.assertRegex(smiles["open"], r"\[C@@?H\]")
        self.assertEqual(named["open"]["isomer_of"], "CC(C)Cc1ccc(C(C)C(=O)[O-])cc1")
        self.assertEqual(smiles["known"], "C[C@@H](C(=O)[O-])c1ccccc1")
        self.assertNotIn("isomer_of", named["known"])
        self.assertEqual(smiles["none"], "CCO")

    def test_any_format(self):
        """The page needs only what every docking writes; a log alone gives the same page."""
        self.assert_well(self.dock("--scoring", "ad4", "--runs", "3", "--format", "pdbqt"))
        self.assert_well(self.dock("--scoring", "ad4", "--runs", "3", "--format", "dlg", output="logs"))
        (self.folder / "logs/ligand.json").unlink()
        self.assertEqual(self.berth("report", "logs", "-r", "receptor.pdbqt").returncode, 0)
        page, old = report_page.data_of(self.report()), report_page.data_of(self.folder / "logs/report.html")
        for key in ("columns", "box", "receptor"):
            self.assertEqual(page[key], old[key])
        row, logged = [dict(zip(d["columns"], d["rows"][0])) for d in (page, old)]
        self.assertEqual((row["runs"], row["clusters"]), (logged["runs"], logged["clusters"]))
        self.assertEqual(row["runs"], 3)
        poses = [{pose["run"]: pose for pose in d["details"][0]["poses"]} for d in (page, old)]
        self.assertEqual(poses[0].keys(), poses[1].keys())  # in an order of their own, as logs round energies to 0.01
        self.assertGreater(len(poses[0]), 3, "further minima, too")
        for number, run in poses[0].items():
            logged = poses[1][number]
            self.assertEqual(run.keys(), logged.keys())
            self.assertEqual(run["pdb"], logged["pdb"], "the same coordinates")
            self.assertEqual(len(run["contacts"]), len(logged["contacts"]))
            for key in ("free", "inter", "vdw", "elec", "moving", "intra", "tors", "crmsd", "rmsd"):
                self.assertAlmostEqual(run[key], logged[key], delta=0.0101)

    def test_other_json(self):
        """Of the docking, damaged, and of something else."""
        self.assert_well(self.dock("--format", "csv"))
        self.write("out/notes.json", '{"runs": [1, 2]}')
        self.write("out/list.json", "[1, 2")
        self.write("out/torn.json", (self.folder / "out/ligand.json").read_text().split('"coordinates"')[0])
        result = self.berth("report", "out")
        self.assertEqual(result.returncode, 0)
        self.assertIn("torn.json", result.stderr)
        self.assertEqual([row[0] for row in report_page.data_of(self.folder / "out/report.html")["rows"]], ["ligand"])

    def test_many_ligands_and_rejects(self):
        for i in range(4):
            self.write(f"library/lig{i}.pdbqt", cli.ligand(atoms=7 + i))
        self.write("library/bad<!-- <script>.pdbqt", "this is no ligand\n")
        self.dock(ligands=("library",))
        data = report_page.data_of(self.report("out", "--top", "2", "--title", "a <b> & </script>", "--fingerprints", "f.csv"))
        self.assertEqual(len(data["rows"]), 4)
        self.assertEqual(len(data["details"]), 2)
        self.assertEqual([row[1] for row in data["rows"]], sorted(row[1] for row in data["rows"]))
        self.assertEqual([row[0] for row in data["rejects"]], ["bad<!-- <script>"])
        text = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("a &lt;b> &amp; &lt;/script>", text)
        self.assertNotIn("<!--", text)
        table = list(csv.reader((self.folder / "f.csv").read_text().splitlines()))
        self.assertEqual(len(table), 5)
        self.assertTrue(all(set(row[1:]) <= {"0", "1"} for row in table[1:]))
        best = data["details"][0]["poses"][0]["contacts"]
        ones = {name for name, bit in zip(table[0][1:], table[1][1:]) if bit == "1"}
        self.assertEqual(ones, {(c[5] + ":" if c[5] else "") + f"{c[3]}{c[4]}:{c[0]}" for c in best})

    def test_energies_of_any_size(self):
        """A database may hold what no docking gives: the page is written, and its histogram has the others."""
        for i in range(6):
            self.write(f"library/lig{i}.pdbqt", cli.ligand(atoms=7 + i))
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, "-o", "out", "-q", *cli.QUICK))
        for values in (("9e999", "-9e999"), ("1e300", "-1e300"), ("1e17", "2e17")):
            database = sqlite3.connect(self.folder / "out/screen.db")
            for ordinal, value in zip(database.execute("SELECT ordinal FROM ligand").fetchall(), values):
                database.execute(f"UPDATE ligand SET free_energy = {value}, rank_energy = {value} WHERE ordinal = ?", ordinal)
            database.execute("DELETE FROM checksum")
            database.commit()
            database.close()
            result = self.berth("report", "out", timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            bins = report_page.data_of(self.folder / "out/report.html")["histogram"]["bins"]
            self.assertEqual(sum(count for _, count in bins), 4 if values[0] == "9e999" else 6)
            self.assertLessEqual(len(bins), 101)

    def test_links_to_every_file(self):
        self.write("lib/a b.pdbqt", cli.ligand())
        self.write("lib/c.pdbqt", cli.ligand(torsions=1))
        self.assert_well(self.dock("--format", "pdbqt,csv", ligands=["lib"]))
        data = report_page.data_of(self.report())
        self.assertEqual(data["prefix"], "")
        self.assertEqual(data["files"], ["summary.csv"])
        self.assertEqual({link["stem"] for link in data["links"]}, {row[data["columns"].index("name")] for row in data["rows"]})
        for link in data["links"]:
            self.assertEqual(link["endings"], ["pdbqt", "csv", "json"])
            for ending in link["endings"]:
                self.assertTrue((self.folder / "out" / f"{link['stem']}.{ending}").is_file())
        self.assert_well(self.berth("report", "out", "-o", "elsewhere.html"))
        prefix = report_page.data_of(self.folder / "elsewhere.html")["prefix"]
        self.assertTrue((pathlib.Path(prefix) / "summary.csv").is_file(), prefix)

    @needs_rdkit
    def test_reference_of_the_report(self):
        """A residue of a PDB file, which needs no bond orders."""
        example = cli.SOURCE / "examples/1hpv"
        self.assert_well(self.dock("--runs", "2"))
        data = report_page.data_of(self.report("out", "--reference", f"{example}/1hpv.pdb:478"))
        atoms = [line for line in data["reference"].splitlines() if line.startswith("HETATM")]
        crystal = [line for line in (example / "1hpv.pdb").read_text().splitlines()
                   if line.startswith("HETATM") and line[17:20] == "478"]
        self.assertEqual([line[30:54] for line in atoms], [line[30:54] for line in crystal])
        self.assertNotIn("reference", report_page.data_of(self.report()))
        self.assert_refused(self.berth("report", "out", "--reference", f"{example}/1hpv.pdb:XYZ"), "XYZ")
        self.assert_refused(self.berth("report", "out", "--reference", "nowhere.sdf"), "nowhere.sdf")

    def test_two_folders(self):
        for name in ("a", "b"):
            self.write(f"lib/{name}.pdbqt", cli.ligand(torsions=2 if name == "a" else 1))
        self.assert_well(self.dock("--scoring", "vina", ligands=["lib"], output="one"))
        self.assert_well(self.dock("--scoring", "ad4", ligands=["lib/a.pdbqt"], output="two"))
        self.assert_well(self.berth("report", "one", "two", "-o", "both.html"))
        data = report_page.data_of(self.folder / "both.html")
        self.assertEqual(len(data["rows"]), 2)
        other = data["other"]
        self.assertEqual((other["title"], len(other["rows"]), other["details"]), ("two", 1, []))
        self.assertNotIn("receptor", other)
        self.assertNotIn("other", report_page.data_of(self.report("one")))
        self.assert_refused(self.berth("report", "one", "nowhere"), "nowhere")
        self.assert_refused(self.berth("report", "one", "two", "three"), "one folder, or two")

    def test_bad_use(self):
        self.write("empty/x.txt", "")
        for folder, words in (("empty", "screen.db"), ("absent", "cannot be read")):
            result = self.berth("report", folder)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)
        self.write("damaged/x.dlg", "DOCKED: MODEL        1\nDOCKED: ENDMDL\n")
        result = self.berth("report", "damaged")
        self.assertEqual(result.returncode, 1)
        self.assertIn("x.dlg:2", result.stderr)
        self.assertEqual(self.berth("report").returncode, 1)


class Pages(report_page.Pages):
    """In a browser."""

    def check_docking(self, view):
        self.assert_no_labels_overlap(view)
        self.assert_drawn(view)
        self.assert_sorts(view, "pose-table", 4)
        self.assert_selects(view, "pose-table", "pose-heading")
        self.assertGreater(view.run("document.querySelectorAll('#contact-table tbody tr').length"), 5)
        self.assertGreaterEqual(view.run("document.querySelectorAll('#ligand-plots svg').length"), 4)
        view.run("document.querySelector('#ligand-plots [data-pick]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        unnamed = view.run("""[...document.querySelectorAll('button, input, svg[role=img], img, table')].filter((e) =>
            !(e.textContent.trim() || e.getAttribute('aria-label') || e.alt)).length""")
        self.assertEqual(unnamed, 0, "everything has a name for people who do not see it")
        if report_page.has_viewer():
            view.run("view.stage.makeImage({factor: 2, antialias: true, trim: false, transparent: true}).then((b) => b.arrayBuffer())"
                     ".then((b) => { window.png = [b.byteLength, ...new Uint8Array(b).slice(0, 4)]; })")
            self.assertEqual(view.run("window.png.slice(1)"), [0x89, 0x50, 0x4e, 0x47])
            self.assertGreater(view.run("window.png[0]"), 10000)
            view.click("#png")
            before = view.run("view.stage.viewerControls.rotation.toArray()")
            view.run("document.querySelector('#view').focus()")
            view.key("ArrowLeft")
            self.assertNotEqual(before, view.run("view.stage.viewerControls.rotation.toArray()"), "arrow keys turn")

    def test_docking(self):
        self.assert_well(self.dock_1hpv())
        page = self.report()
        for width in (1280, 400):
            self.look(page, "dock", width, self.check_docking)
        with browser.Browser() as chromium:
            view = chromium.open(page, 1280, 900)
            view.settle()
            pdf = base64.b64decode(view.call("Page.printToPDF", printBackground=True)["data"])
            (report_page.SHOTS / "dock.pdf").write_bytes(pdf)
            self.assertGreater(len(pdf), 20000)

    def check_screen(self, view):
        self.assert_drawn(view)
        total = int(view.run("document.querySelector('#ligand-table .soft').textContent.split(' ').pop()"))
        self.assertGreater(total, 400)
        column = view.run("[...document.querySelectorAll('#ligand-table thead th')].findIndex((e) => e.textContent === 'Free energy') + 1")
        self.assert_sorts(view, "ligand-table", column)
        view.click(f"#ligand-table thead th:nth-child({column}) button")
        self.assert_selects(view, "ligand-table", "ligand-heading")
        view.run("(() => { const f = document.querySelector('#ligand-table input'); f.focus(); f.value = 'active-3'; f.dispatchEvent(new Event('input')); })()")
        names = view.run("[...document.querySelectorAll('#ligand-table tbody tr td:nth-child(2)')].map((e) => e.textContent)")
        self.assertTrue(names and all("active-3" in name for name in names), names)
        view.run("(() => { const f = document.querySelector('#ligand-table input'); f.value = ''; f.dispatchEvent(new Event('input')); })()")
        text = view.run("document.querySelector('main').innerText")
        for words in ("ROC AUC", "Rate", "Not docked", "Who touches what", "hydrogen bond"):
            self.assertIn(words, text)

    def enrichment(self):
        """ROC AUC and enrichment factors pair by pair; ties count half, or by their fraction among the top ligands."""
        actives, decoys = [], []
        database = sqlite3.connect(self.path("out/screen.db"))
        for name, energy in database.execute("SELECT name, free_energy FROM ligand"):
            (actives if name.startswith("active") else decoys).append(math.inf if energy is None else energy)
        database.close()
        auc = sum((a < d) + 0.5 * (a == d) for a in actives for d in decoys) / (len(actives) * len(decoys))
        everybody = actives + decoys
        factors = []
        for fraction in (0.01, 0.05):
            top = max(1, round(len(everybody) * fraction))
            found = sum(min(1, max(0, (top - sum(e < a for e in everybody)) / everybody.count(a))) for a in actives)
            factors.append(found / top / (len(actives) / len(everybody)))
        return auc, *factors

    def check_numbers(self, view):
        """Axes of any range, and clusters that are close together."""
        view.run("""(() => { const place = byId("ligand-plots");
            for (const [low, high] of [[-0.00012, 0.00045], [-123456, -120000], [-9.51, -9.49], [-1e6, 2e6], [0, 1]])
              place.append(linePlot("Line " + low, "", "x", "y", [[low, low], [high, high]]),
                dotPlot("Dots " + low, "", "x", "y", [{ x: Math.abs(low), y: low }, { x: Math.abs(high), y: high }], null));
            place.append(clusterPlot("Near", "", [0, 1, 2, 3].map((k) => ({ cluster: k + 1, size: 5 - k % 2, lowest: -9 + k / 50, pick: k })), null)); })()""")
        view.settle()
        self.assert_no_labels_overlap(view)

    def test_numbers_of_any_size(self):
        self.assert_well(self.dock("--runs", "5"))
        self.look(self.report(), "numbers", 1280, self.check_numbers)

    def test_two_dockings(self):
        for name in "abcd":
            self.write(f"lib/{name}.pdbqt", cli.ligand(torsions=1 + "abcd".index(name)))
        for k, output in enumerate(("one", "two")):
            self.assert_well(self.dock("--scoring", "vina", "--runs", str(2 + k), ligands=["lib"], output=output))
        self.assert_well(self.berth("report", "one", "two"))

        def check(view):
            self.assertEqual(view.run("byId('compared-heading').textContent"), "one and two")
            self.assertEqual(view.run("document.querySelectorAll('#compared-rows tbody tr').length"), 4)
            self.assertEqual(view.run("document.querySelectorAll('#compared-plots circle').length"), 4)
            links = view.run("[...document.querySelectorAll('#ligand-files a')].map((e) => e.getAttribute('href'))")
            self.assertTrue(links and all((self.folder / "one" / link).is_file() for link in links), links)
            self.assert_no_labels_overlap(view)

        for width in (1280, 400):
            self.look(self.folder / "one/report.html", "compared", width, check)

    @needs_rdkit
    def test_screen_of_500(self):
        self.write("library.smi", "\n".join([*amides(), "C1CC broken", "[U] metal"]) + "\n")
        example = cli.SOURCE / "examples/1hpv"
        result = self.berth("screen", "-r", example / "receptor.pdbqt", "-l", "library.smi", "--autobox", example / "ligand-crystal.pdbqt",
                            "-o", "out", "--runs", "2", "--evals", "1000", "--population", "20", "--local-search-iterations", "20",
                            "--seed", "7", "-q", "--scoring", "ad4", timeout=3000)
        self.assertEqual(result.returncode, 2, result.stderr)
        page = self.report("out", "--actives", "^active", "--fingerprints", "f.csv")
        data = report_page.data_of(page)
        self.assertGreaterEqual(data["total"] + data["rejected"], 500)
        self.assertGreaterEqual(data["rejected"], 2)
        self.assertEqual(data["enrichment"]["actives"], len(ACIDS))
        auc, ef1, ef5 = self.enrichment()
        for key, value in (("auc", auc), ("ef1", ef1), ("ef5", ef5)):
            found, low, high = data["enrichment"][key]
            self.assertAlmostEqual(found, value, delta=1e-4)
            self.assertTrue(low <= found <= high)
        self.assertAlmostEqual(sum(count for _, count in data["histogram"]["bins"]), data["total"])
        for width in (1280, 400):
            self.look(page, "screen", width, self.check_screen)


if __name__ == "__main__":
    cli.main()
