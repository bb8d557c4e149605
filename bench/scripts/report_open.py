#!/usr/bin/env python3
"""How long a page of `berth report` takes to open in headless Chromium.

    bench/scripts/report_open.py REPORT.html [--rows 10000] [--repeats 5]

Each repeat is a new browser. Times begin with the navigation: until the table of ligands is painted, and until all is
there, with poses in 3D. The CPU time is that of all of the browser's processes from then until all is there, drawing in
software included; other work on the machine changes it less. --rows copies the rows of the table until there are as many, under names of their own.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/cli"))
import browser  # noqa: E402

DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)


def with_rows(text, count):
    data = json.loads(DATA.search(text).group(2))
    rows = data["rows"]
    data["rows"] = [[f"{rows[k % len(rows)][0]}-{k // len(rows)}", *rows[k % len(rows)][1:]] for k in range(count)]
    data["total"] = count
    whole = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return DATA.sub(lambda found: found.group(1) + whole + found.group(3), text)


def cpu_seconds(pid):
    """Of a process and its descendants that live."""
    parents, ticks = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has just ended
            continue
        parents[int(folder.name)], ticks[int(folder.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    family = {pid}
    for _ in range(8):
        family |= {child for child, parent in parents.items() if parent in family}
    return sum(ticks.get(one, 0) for one in family) / os.sysconf("SC_CLK_TCK")


def measure(page):
    with browser.Browser() as chromium:
        view = browser.Page(chromium, 1280, 900)
        before = cpu_seconds(chromium.process.pid)
        view.load(page, "document.documentElement.dataset.ready === '1'")
        marks = view.run("Object.fromEntries(performance.getEntriesByType('mark')"
                         ".map((m) => [m.name, m.startTime / 1000]))")
        worked = cpu_seconds(chromium.process.pid) - before
        return {"table": marks["table"], "all": marks["ready"], "CPU time": worked}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = options.page
        if options.rows:
            page = pathlib.Path(folder) / "page.html"
            page.write_text(with_rows(options.page.read_text(encoding="utf-8"), options.rows), encoding="utf-8")
        print(f"{page.stat().st_size / 1e6:.1f} MB, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        found = [measure(page) for _ in range(options.repeats)]
        for name in found[0]:
            values = sorted(one[name] for one in found)
            print(f"{name:8s} median {statistics.median(values):.2f} s, {values[0]:.2f} to {values[-1]:.2f}")
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
