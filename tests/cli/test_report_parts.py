"""berth report: what the page says of a pose, its surface, filters, colors, and ten thousand ligands, in Chromium."""
import json
import math

import berth_cli as cli
import browser
import report_page
from test_raw_dock import needs_rdkit

HIV = cli.SOURCE / "examples/1hpv"
COLUMN = """((id, label) => [...document.querySelectorAll("#" + id + " thead tr:first-child th")]
    .findIndex((e) => e.textContent === label))"""
CELLS = """((id, column) => [...document.querySelectorAll("#" + id + " tbody tr")]
    .map((e) => e.children[column].textContent))"""
SURFACE = """((kind) => { const s = byId("surface"); s.value = kind; s.dispatchEvent(new Event("change")); })"""


class Parts(report_page.Pages):
    def open(self, chromium, page, width=1280, dark=False):
        view = browser.Page(chromium, width, 900)
        scheme = "dark" if dark else "light"
        view.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        view.load(page, "document.documentElement.dataset.ready === '1'")
        view.settle()
        return view

    def column(self, view, table, label):
        """Texts of the column, from above."""
        at = view.run(f"{COLUMN}({json.dumps(table)}, {json.dumps(label)})")
        self.assertGreaterEqual(at, 0, f"{table} has no column {label}")
        return view.run(f"{CELLS}({json.dumps(table)}, {at})")

    def fill(self, view, selector, text):
        view.run(f"(() => {{ const f = document.querySelector({json.dumps(selector)}); f.value = {json.dumps(text)};"
                 " f.dispatchEvent(new Event('input')); })()")

    def condition(self, view, table, label, text):
        """Types into the field below a heading."""
        if not view.run(f"Boolean(document.querySelector('#{table} tr.fields'))"):
            view.click(f"#{table} button[aria-expanded]")
        at = view.run(f"{COLUMN}({json.dumps(table)}, {json.dumps(label)})")
        self.fill(view, f"#{table} tr.fields td:nth-child({at + 1}) input", text)

    def screenshot(self, view, name):
        view.settle()
        view.screenshot(report_page.SHOTS / f"{name}.png")


class OfAPose(Parts):
    def dock(self, *more):
        self.assert_well(self.berth(
            "dock", "-r", HIV / "1hpv.pdb", "-l", HIV / "amprenavir.smi", "--autobox", "478", "--reference", "478",
            "--keep", ":HOH201", "-o", "out", "--runs", "6", "--evals", "10k", "--population", "20",
            "--autostop", "off", "--local-search-iterations", "50", "--seed", "5", "-q", *more, timeout=1200))
        return json.loads((self.folder / "out/amprenavir.json").read_text())

    def pose_of(self, view, run):
        """Selects the pose of that run."""
        runs = self.column(view, "pose-table", "Run")
        view.click(f"#pose-table tbody tr:nth-child({runs.index(str(run)) + 1})")
        view.settle()

    @needs_rdkit
    def test_verdicts_are_those_of_the_docking(self):
        """Even where they are not what the values would give: one test fails in the file only."""
        docking = self.dock("--scoring", "vina", "--rescore", "vinardo,ad4", "--require", "inside:9.4,16.1,9.2@25",
                            "--prefer", "point:acceptor:90,90,90")
        checked = [run for run in docking["runs"] if run.get("checks")]
        docked = checked[0]
        docked["checks"]["failed"] = ["protein_overlap"]
        docked["checks"]["values"].update(protein_overlap=0.031, bond_lengths=0.127)
        (self.folder / "out/amprenavir.json").write_text(json.dumps(docking))
        with browser.Browser() as chromium:
            view = self.open(chromium, self.report())
            self.assertIn("protein overlap", self.column(view, "pose-table", "Checks"))
            for run in checked[:3]:
                self.pose_of(view, run["run"])
                self.check_tests(view, run["checks"])
                self.check_constraints(view, run["constraints"])
            self.check_scores(view, docking)
            self.check_reference(view)
            self.assert_no_labels_overlap(view)
            self.screenshot(view, "verdicts")

    def check_tests(self, view, checks):
        view.run("document.querySelector('#checks details').open = true")
        names = [name.replace(" ", "_") for name in self.column(view, "check-table", "Test")]
        verdicts = dict(zip(names, self.column(view, "check-table", "Verdict")))
        values = dict(zip(names, self.column(view, "check-table", "Value")))
        known = {name: value for name, value in checks["values"].items() if value is not None}
        self.assertEqual(values.keys(), known.keys())
        for name, value in known.items():
            self.assertAlmostEqual(float(values[name]), value, delta=0.00051)
        self.assertGreater(len(known), 5)
        self.assertEqual({name for name in names if verdicts[name] == "fails"}, set(checks["failed"]))
        said = view.run("document.querySelector('#checks p').textContent")
        self.assertIn("Fails 1 of" if checks["failed"] else "Passes all", said)
        self.assertEqual(self.column(view, "check-table", "Limit")[names.index("bond_lengths")], "\u2264 0.25")
        self.assertEqual(self.column(view, "check-table", "Limit")[names.index("protein_distance")], "\u2265 0.75")

    def check_constraints(self, view, constraints):
        self.assertEqual(len(constraints), 2)
        names = [c["name"] + ("" if c["required"] else " (preferred)") for c in constraints]
        self.assertEqual(self.column(view, "constraint-table", "Constraint"), names)
        met = ["yes" if c["met"] else "no" for c in constraints]
        self.assertEqual(self.column(view, "constraint-table", "Met"), met)
        self.assertEqual({c["met"] for c in constraints}, {True, False})
        for label, key in ("Distance", "distance"), ("Miss", "miss"), ("Energy", "energy"):
            shown = self.column(view, "constraint-table", label)
            for text, c in zip(shown, constraints):
                self.assertAlmostEqual(float(text), c[key], delta=0.0051)
        self.assertIn("Meets 1 of 2", view.run("byId('constraints').textContent"))

    def check_scores(self, view, docking):
        """Of the clusters' best poses, and of no other."""
        runs = [int(run) for run in self.column(view, "pose-table", "Run")]
        for position, label in enumerate(("by Vinardo", "by AutoDock 4")):
            known = {c["best_run"]: c["rescored"][position]["free_energy"] for c in docking["clusters"]
                     if "rescored" in c}
            shown = {run: text for run, text in zip(runs, self.column(view, "pose-table", label)) if text}
            self.assert_values(shown, {run: known[run] for run in runs if run in known}, 0.0051)
        strained = {run["run"]: run["strain"] for run in docking["runs"] if run.get("strain") is not None}
        shown = {run: text for run, text in zip(runs, self.column(view, "pose-table", "Strain")) if text}
        self.assert_values(shown, {run: strained[run] for run in runs if run in strained}, 0.051)

    def assert_values(self, shown, known, delta):
        self.assertEqual(shown.keys(), known.keys())
        self.assertGreater(len(known), 0)
        for run, text in shown.items():
            self.assertAlmostEqual(float(text), known[run], delta=delta)

    def check_reference(self, view):
        """A residue of the receptor's PDB file, over the poses until it is switched off."""
        if not report_page.has_viewer():
            return
        self.assertGreater(view.run("view.reference.structure.atomCount"), 30)
        # the crystal's sulfur, as PDB entry 1HPV has it
        places = view.run("""(() => { const found = []; view.reference.structure.eachAtom((a) => {
            if (a.element === "S") found.push([a.x, a.y, a.z]); }); return found; })()""")
        lines = (HIV / "1hpv.pdb").read_text().splitlines()
        crystal = [[float(line[at:at + 8]) for at in (30, 38, 46)] for line in lines
                   if line.startswith("HETATM") and line[17:20] == "478" and line[12:16].strip().startswith("S")]
        self.assertEqual(len(places), 1)
        for found, known in zip(places[0], crystal[0]):
            self.assertAlmostEqual(found, known, places=2)
        button = "[...document.querySelectorAll('#view-tools button')].find((b) => b.textContent === 'Reference')"
        self.assertTrue(view.run("view.reference.visible"))
        view.run(f"{button}.click()")
        self.assertFalse(view.run("view.reference.visible"))
        view.run(f"{button}.click()")
        self.assertTrue(view.run("view.reference.visible"))

    @needs_rdkit
    def test_contacts_surface_and_colors(self):
        self.dock("--scoring", "vina", "--rescore", "none")
        with browser.Browser() as chromium:
            page = self.report()
            self.check_bridges(report_page.data_of(page))
            for dark in False, True:
                view = self.open(chromium, page, dark=dark)
                self.check_legend(view)
                self.check_surface(view)
                self.check_theme(view, dark)
                self.screenshot(view, "dark" if dark else "light")
                view.drain()
                self.assertEqual([e for e in view.errors if not e.startswith("warning")], [])
                view.close()
            view = self.open(chromium, page, width=400, dark=True)
            self.assertLessEqual(*view.run("[document.documentElement.scrollWidth, innerWidth]"))
            self.screenshot(view, "dark-400")

    def check_bridges(self, data):
        """Each goes by the water, 2.5 to 4.1 Angstrom from both ends (docs/interactions.md)."""
        bridges = [c for pose in data["details"][0]["poses"] for c in pose["contacts"] if c[0] == "W"]
        self.assertGreater(len(bridges), 0)
        for bridge in bridges:
            atom, other, water = bridge[8:11], bridge[11:14], bridge[14:17]
            for end in atom, other:
                self.assertTrue(2.48 <= math.dist(end, water) <= 4.12, bridge)

    def check_legend(self, view):
        """Each type with its number; a press shows or hides its dashes."""
        counts = view.run("state.pose.contacts.reduce((all, c) => ({...all, [c[0]]: (all[c[0]] || 0) + 1}), {})")
        legend = view.run("[...document.querySelectorAll('#legend button')]"
                          ".map((b) => [b.dataset.type, b.textContent])")
        self.assertEqual({key for key, _ in legend}, set(counts))
        self.assertTrue({"H", "V", "L"} <= set(counts), counts)
        for key, text in legend:
            self.assertTrue(text.endswith(f" {counts[key]}"), text)
        rows = view.run("document.querySelectorAll('#contact-table tbody tr').length")
        self.assertEqual(rows, sum(counts.values()))
        if not report_page.has_viewer():
            return
        drawn = "drawnContacts(state.pose).filter((c) => c[0] === 'V').length"
        self.assertEqual(view.run(drawn), 0)
        view.click("#legend button[data-type=V]")
        self.assertEqual(view.run(drawn), counts["V"])
        pressed = "document.querySelector('#legend [data-type=V]').getAttribute('aria-pressed')"
        self.assertEqual(view.run(pressed), "true")
        view.click("#legend button[data-type=V]")
        self.assertEqual(view.run(drawn), 0)

    def check_surface(self, view):
        """Off at first; of two kinds, with other colors, near the pose only."""
        if not report_page.has_viewer():
            return
        self.assertFalse(view.run("Boolean(view.patch)"), "nothing is computed before it is asked for")
        colors, surface = {}, "view.patch.repr.bufferList[0].geometry"
        for kind in "hydrophobicity", "electrostatic":
            view.run(f"{SURFACE}('{kind}')")
            view.wait(f"view.patch && view.patch.getParameters().colorScheme === '{kind}'"
                      " && view.patch.repr.bufferList.length > 0"
                      " && byId('surface-note').textContent.startsWith('Surface: ')", 120)
            colors[kind] = view.run(f"Array.from({surface}.attributes.color.array.slice(0, 3000))")
        self.assertGreater(len(colors["electrostatic"]), 1000)
        self.assertNotEqual(colors["hydrophobicity"], colors["electrostatic"])
        near, far = view.run("(() => { const g = " + surface + """, p = g.attributes.position.array, d = [];
            for (let k = 0; k < Math.min(g.index.count, g.drawRange.count); k += 30) {
              let least = Infinity; const at = 3 * g.index.array[k];
              view.pose.structure.eachAtom((a) => {
                least = Math.min(least, Math.hypot(a.x - p[at], a.y - p[at + 1], a.z - p[at + 2])); }); d.push(least); }
            return [Math.min(...d), Math.max(...d)]; })()""")
        self.assertLess(near, 3)
        self.assertLess(far, 11)
        charge = "[view.receptor.structure.atomStore.partialCharge[%d], state.data.charges[%d] / 100]"
        for atom in 0, 100, 1000:
            self.assertAlmostEqual(*view.run(charge % (atom, atom)), places=4)
        view.run(f"{SURFACE}('')")
        view.wait("!view.patch", 60)

    def check_theme(self, view, dark):
        """As the system has it, then as the button has it; the 3D view follows."""
        ground = "getComputedStyle(document.body).backgroundColor"
        stage = "view.stage ? view.stage.getParameters().backgroundColor : themeColor('--page')"
        light = "rgb(255, 255, 255)"
        for turn in range(2):
            now_dark = dark != bool(turn)
            self.assertEqual(view.run(ground) == light, not now_dark)
            self.assertEqual(view.run(stage), "#14191f" if now_dark else "#fff")
            self.assertEqual(view.run("byId('theme').getAttribute('aria-pressed')"), str(now_dark).lower())
            self.assertGreater(self.contrast(view), 7)
            view.click("#theme")
            view.settle()
        self.assertEqual(view.run(ground) == light, not dark, "two presses change nothing")

    def contrast(self, view):
        """Of text and background (WCAG 2.1)."""
        def luminance(color):
            parts = [int(part) / 255 for part in color[4:-1].split(",")]
            linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        style = "getComputedStyle(document.body)"
        one, other = sorted(luminance(view.run(f"{style}.{which}")) for which in ("color", "backgroundColor"))
        return (other + 0.05) / (one + 0.05)


class OfManyLigands(Parts):
    def page(self, count):
        """A screen's page whose rows are copied."""
        for k in range(6):
            self.write(f"library/lig{k}.pdbqt", cli.ligand(atoms=7 + k, torsions=1 + k % 3))
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, "-o", "out", "-q",
                                    "--scoring", "vina", "--rescore", "ad4", "--rank-by", "blend", *cli.QUICK))
        page = self.report("out", "--reference", "ligand.pdbqt")
        data = report_page.data_of(page)
        rows, columns = data["rows"], data["columns"]
        data["rows"] = []
        for k in range(count):
            row = list(rows[k % len(rows)])
            row[columns.index("name")] = f"lig{k}"
            row[columns.index("free")] = round(-9 + 8 * ((k * 7919) % count) / count, 2)
            data["rows"].append(row)
        data["total"] = count
        report_page.put_data(page, data)
        return page, data

    def test_ten_thousand(self):
        """The table is there before the viewer is even read, and holds no more rows than are seen."""
        page, data = self.page(10000)
        self.assertEqual([name for name, _ in data["scores"]], ["AutoDock 4", "Vina"])
        with browser.Browser() as chromium:
            view = self.open(chromium, page)
            marks = view.run("Object.fromEntries(performance.getEntriesByType('mark')"
                             ".map((m) => [m.name, m.startTime]))")
            self.assertLess(marks["table"], marks["ready"])
            if report_page.has_viewer():
                self.assertLess(marks["table"], marks["viewer"])
            self.assertEqual(view.run("document.querySelectorAll('#ligand-table tbody tr').length"), 20)
            self.assertIn("10,000 of 10,000", view.run("byId('ligand-table').innerText"))
            shown = self.column(view, "ligand-table", "by AutoDock 4")
            place = len(data["columns"]) + [name for name, _ in data["scores"]].index("AutoDock 4")
            self.assertEqual([float(text) for text in shown], [row[place] for row in data["rows"][:20]])
            if report_page.has_viewer():
                atoms = cli.ligand().count("ATOM  ")
                self.assertEqual(view.run("view.reference.structure.atomCount"), atoms, "the report's own reference")
            self.check_every_column(view, data)
            self.check_conditions(view, data)
            self.screenshot(view, "ten-thousand")

    def check_every_column(self, view, data):
        """A click on each heading sorts all rows by it."""
        count = view.run("document.querySelectorAll('#ligand-table thead tr:first-child th').length")
        self.assertGreater(count, 10)
        values = """state.ligands.shown.map((row) => valueOf(state.ligands.columns[%d], row))"""
        for k in range(count):
            view.click(f"#ligand-table thead tr:first-child th:nth-child({k + 1}) button")
            found = view.run(values % k)
            self.assertEqual(len(found), len(data["rows"]))
            if not isinstance(found[0], str):
                order = view.run(f"document.querySelectorAll('#ligand-table th')[{k}].getAttribute('aria-sort')")
                self.assertEqual(found, sorted(found, reverse=order == "descending"))
        view.click("#ligand-table thead tr:first-child th:first-child button")

    def check_conditions(self, view, data):
        free, name = data["columns"].index("free"), data["columns"].index("name")
        affinities = [row[free] for row in data["rows"]]
        shown = lambda: view.run("state.ligands.shown.length")
        for text, meets in (("<-8", lambda v: v < -8), ("<=-8", lambda v: v <= -8), (">-3.5", lambda v: v > -3.5),
                            (">= -2", lambda v: v >= -2), ("-5..-4.5", lambda v: -5 <= v <= -4.5),
                            ("..-8.9", lambda v: v <= -8.9),
                            ("=-6", lambda v: v == -6), ("-8.4", lambda v: f"{v:.2f}".startswith("-8.4")),
                            ("\u22128.4", lambda v: f"{v:.2f}".startswith("-8.4"))):
            self.condition(view, "ligand-table", "Affinity", text)
            expected = sum(map(meets, affinities))
            self.assertTrue(0 < expected < len(affinities), text)
            self.assertEqual(shown(), expected, text)
        self.condition(view, "ligand-table", "Name", "lig77")
        both = sum(f"{row[free]:.2f}".startswith("-8.4") and "lig77" in row[name] for row in data["rows"])
        self.assertEqual(shown(), both, "all conditions hold together")
        self.condition(view, "ligand-table", "Affinity", "<minus")
        named = sum("lig77" in row[name] for row in data["rows"])
        self.assertEqual(shown(), named, "what is not understood does not count")
        invalid = "document.querySelectorAll('#ligand-table [aria-invalid=true]').length"
        self.assertEqual(view.run(invalid), 1)
        self.condition(view, "ligand-table", "Affinity", "")
        self.condition(view, "ligand-table", "Name", "!7")
        self.assertEqual(shown(), sum("7" not in row[name] for row in data["rows"]))
        view.click("#ligand-table button[aria-expanded]")
        self.assertEqual(shown(), len(data["rows"]), "fields that are hidden filter nothing")
        self.assertEqual(view.run(invalid), 0)


if __name__ == "__main__":
    cli.main()
