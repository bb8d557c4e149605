"""Tables: as pandas.DataFrame where that is installed, and shown by notebooks without it."""
from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

SHOWN = 20  # rows in a notebook


def cell(value: Any) -> str:
    return html.escape("" if value is None or value != value else f"{value:.2f}" if isinstance(value, float) else str(value))


class Table:
    """Something with rows."""

    def rows(self) -> list[dict[str, Any]]:
        """One dict per row."""
        raise NotImplementedError

    def to_dataframe(self) -> pandas.DataFrame:
        """The rows as a table."""
        import pandas
        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        more = f"<p>and {len(rows) - SHOWN} more</p>" if len(rows) > SHOWN else ""

        def line(tag: str, values: Iterable[Any]) -> str:
            return "<tr>" + "".join(f"<{tag}>{cell(value)}</{tag}>" for value in values) + "</tr>"

        body = "".join(line("td", (row.get(name) for name in names)) for row in rows[:SHOWN])
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{line('th', names)}{body}</table>{more}"
