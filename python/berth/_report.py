"""Reports: one page with all results."""
from __future__ import annotations

import html
import os
import pathlib
import re
import tempfile
from collections.abc import Mapping

from ._library import call, ffi, lib


class Report:
    """A self-contained HTML page; .html is its text, and a notebook shows it."""

    def __init__(self, text: str) -> None:
        self.html = text

    def __repr__(self) -> str:
        return f"<berth.Report, {len(self.html) / 1024:.0f} KiB>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 700px; border: 0" '
                'sandbox="allow-scripts"></iframe>')

    def save(self, path: str | os.PathLike[str]) -> None:
        pathlib.Path(path).write_text(self.html, encoding="utf-8")


def report(folder: str | os.PathLike[str]) -> Report:
    """The page for a folder of `berth dock` or `berth screen`, or for the database of a screen."""
    options, summary = ffi.new("bt_report_options *", lib.bt_report_options_default()), ffi.new("bt_report_summary *")
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place, "report.html")
        call(lib.bt_report_write, os.fspath(folder).encode(), options, str(path).encode(), summary)
        return Report(path.read_text(encoding="utf-8"))


def report_of_texts(texts: Mapping[str, str], receptor_pdbqt: str) -> Report:
    """The page for dockings as JSON texts by name, which are stored as by `berth dock`."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "receptor.pdbqt").write_text(receptor_pdbqt, encoding="utf-8")
        for name, text in texts.items():
            pathlib.Path(folder, re.sub(r"[^\w.+-]", "_", name) + ".json").write_text(text, encoding="utf-8")
        return report(folder)
