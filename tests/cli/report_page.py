"""Shared by tests of reports: the data of a page, docking logs of given poses, and pages in headless Chromium.

Screenshots for inspection go to the folder BERTH_SCREENSHOTS, or report-screenshots below the current one.
"""
import base64
import json
import os
import pathlib
import re
import struct
import time
import zlib

import berth_cli as cli
import browser

SHOTS = pathlib.Path(os.environ.get("BERTH_SCREENSHOTS", "report-screenshots")).resolve()


DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)


def data_of(path):
    """The JSON object in a page."""
    return json.loads(DATA.search(path.read_text(encoding="utf-8")).group(2))


def put_data(path, data):
    """Writes other data into a page."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = DATA.sub(lambda found: found.group(1) + text + found.group(3), path.read_text(encoding="utf-8"))
    path.write_text(page, encoding="utf-8")


def docking_log(ligand, receptor="receptor"):
    """A docking log with one pose: the ligand's PDBQT text, not moved."""
    lines = ["Berth version: 0.0.0", f"Receptor name:                             {receptor}"]
    lines += ["INPUT-LIGAND-PDBQT: " + line for line in ligand.splitlines()]
    lines += ["DOCKED: MODEL        1", "DOCKED: USER    Run = 1",
              "DOCKED: USER    Estimated Free Energy of Binding    =  -1.00 kcal/mol  [=(1)+(2)+(3)-(4)]",
              "DOCKED: USER    (1) Final Intermolecular Energy     =  -1.00 kcal/mol"]
    lines += ["DOCKED: " + line for line in ligand.splitlines() if line.startswith(("ATOM", "HETATM"))]
    lines += ["DOCKED: TER", "DOCKED: ENDMDL",
              "   1      1      1       -1.00      0.00      0.00           RANKING", ""]
    return "\n".join(lines)


def pixels(path):
    """Width, height and rows of a PNG without interlacing, 8 bits a channel."""
    data, chunks, at = path.read_bytes(), b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[color]
            assert depth == 8
        elif kind == b"IDAT":
            chunks += body
        at += size + 12
    raw, rows, previous = zlib.decompress(chunks), [], bytes(width * channels)
    for y in range(height):
        start = y * (width * channels + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + width * channels])
        for i in range(len(line)):
            a = line[i - channels] if i >= channels else 0
            b, c = previous[i], previous[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + a) & 255
            elif kind == 2:
                line[i] = (line[i] + b) & 255
            elif kind == 3:
                line[i] = (line[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[i] = (line[i] + nearest) & 255
        rows.append(bytes(line))
        previous = bytes(line)
    return width, height, channels, rows


class Case(cli.Case):
    def report(self, folder="out", *more):
        result = self.berth("report", folder, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / folder / "report.html"

    def dock_1hpv(self, *more):
        example = cli.SOURCE / "examples/1hpv"
        return self.berth("dock", "-r", example / "receptor.pdbqt", "-l", example / "ligand.pdbqt", "--autobox",
                          example / "ligand-crystal.pdbqt", "--reference", example / "ligand-crystal.pdbqt", "-o", "out",
                          "--runs", "12", "--evals", "10k", "--population", "20", "--local-search-iterations", "50", "--autostop", "off",
                          "--seed", "5", "-q", *more, timeout=1200)


class Pages(Case):
    """Looks at pages in a browser."""

    @classmethod
    def setUpClass(cls):
        browser.find()
        SHOTS.mkdir(parents=True, exist_ok=True)

    def look(self, page, name, width, checks):
        with browser.Browser() as chromium:
            began = time.monotonic()
            view = chromium.open(page, width, 900)
            loaded = time.monotonic() - began
            view.settle()
            checks(view)
            view.settle()
            view.screenshot(SHOTS / f"{name}-{width}.png")
            view.drain()
            foreign = [url for url in view.requests if not url.startswith("data:") and url != page.as_uri()]
            self.assertEqual(foreign, [], "the page asks for nothing else")
            self.assertEqual([e for e in view.errors if not e.startswith("warning")], [])
            wide = view.run("[document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(wide[0], wide[1], "nothing is wider than the window")
        print(f"{name} at {width} pixels: {page.stat().st_size / 1e6:.1f} MB, loaded in {loaded:.1f} s")

    def assert_drawn(self, view):
        """The canvas of the 3D view shows more than its background."""
        if not has_viewer():
            return
        picture = self.folder / "canvas.png"
        view.run("document.querySelector('#view').scrollIntoView({block: 'center'})")
        view.settle()
        x, y, width, height = view.run("(() => { const r = document.querySelector('#view canvas').getBoundingClientRect();"
                                       " return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })()")
        data = view.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={"x": x, "y": y, "width": width, "height": height, "scale": 1})["data"]
        picture.write_bytes(base64.b64decode(data))
        width, height, channels, rows = pixels(picture)
        colors, drawn = set(), 0
        for row in rows[::3]:
            for i in range(0, width * channels, 3 * channels):
                color = row[i:i + 3]
                drawn += min(color) < 240
                colors.add(color)
        self.assertGreater(drawn, 0.02 * (width / 3) * (height / 3), "too little is drawn")
        self.assertGreater(len(colors), 200, "too few colors for a molecule")

    def assert_sorts(self, view, table, column, descending_first=False):
        head = f"#{table} thead th:nth-child({column})"
        values = lambda: [float(v) for v in view.run(
            f"[...document.querySelectorAll('#{table} tbody tr td:nth-child({column})')].map((e) => e.textContent)") if v]
        view.click(head + " button")
        self.assertEqual(values(), sorted(values(), reverse=descending_first))
        self.assertIn(view.run(f"document.querySelector('{head}').getAttribute('aria-sort')"), ("ascending", "descending"))
        view.click(head + " button")
        self.assertEqual(values(), sorted(values(), reverse=not descending_first))

    def assert_selects(self, view, table, heading):
        """With a click, then with keys."""
        row = lambda n: f"#{table} tbody tr:nth-child({n})"
        chosen = lambda n: view.run(f"document.querySelector('{row(n)}').getAttribute('aria-selected') === 'true'")
        before = view.run(f"document.querySelector('#{heading}').textContent")
        view.click(row(3))
        self.assertTrue(chosen(3))
        clicked = view.run(f"document.querySelector('#{heading}').textContent")
        self.assertNotEqual(before, clicked)
        view.key("ArrowDown")
        self.assertTrue(chosen(4))
        self.assertEqual(view.run("document.activeElement.rowIndex"), 4)
        self.assertNotEqual(clicked, view.run(f"document.querySelector('#{heading}').textContent"))
        view.key("ArrowUp")
        self.assertTrue(chosen(3))
        self.assertEqual(view.run(f"document.querySelector('#{heading}').textContent"), clicked)

    def assert_no_labels_overlap(self, view):
        bad = view.run("""(() => { const bad = [];
            for (const plot of document.querySelectorAll("svg.plot")) {
              const texts = [...plot.querySelectorAll("text")].map((e) => [e.textContent, e.getBoundingClientRect()]);
              texts.forEach(([name, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
                if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
                  bad.push(plot.getAttribute("aria-label").slice(0, 20) + ": " + name + ", " + other); })); }
            return bad; })()""")
        self.assertEqual(bad, [])


def has_viewer():
    """Whether this build has a viewer."""
    return b"MolecularSurface" in (cli.BIN / "berth").read_bytes()  # a name inside NGL, not in the page's own scripts
