"""Reports: one page with all results."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile

from ._library import Strings, call, ffi, lib

NO_LINKS = "<style>#folder-files, #ligand-files { display: none }</style>"  # a notebook has no files beside the page


class Report:
    """A self-contained HTML page; .html is its text, and a notebook shows it.

    Made of results, it is saved with a folder PAGE-files of poses and tables, to which it links.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, title: str | None = None,
                 files: dict[str, str] | None = None) -> None:
        self._folder, self._title, self._files = folder, title, files
        with tempfile.TemporaryDirectory() as place:
            page = pathlib.Path(place, "report.html")
            self._write(page, pathlib.Path(place) if folder is None else folder)
            self.html = page.read_text(encoding="utf-8")

    def _write(self, page: pathlib.Path, folder: str | os.PathLike[str]) -> None:
        strings, options = Strings(), ffi.new("bt_report_options *", lib.bt_report_options_default())
        if self._files is not None:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            for name, text in self._files.items():
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        options.opt_title = strings.one(self._title)
        call(lib.bt_report_write, os.fsencode(folder), options, os.fsencode(page), ffi.new("bt_report_summary *"))

    def __repr__(self) -> str:
        return f"<berth.Report, {len(self.html) / 1024:.0f} KiB>"

    def _repr_html_(self) -> str:
        page = self.html.replace("</head>", NO_LINKS + "</head>", 1)
        return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 700px; border: 0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, and, if it was made of results, their files beside it."""
        page = pathlib.Path(path)
        self._write(page, page.with_name(page.stem + "-files") if self._folder is None else self._folder)


def report(folder: str | os.PathLike[str]) -> Report:
    """The page for a folder of `berth dock` or `berth screen`, or for the database of a screen."""
    return Report(folder)
