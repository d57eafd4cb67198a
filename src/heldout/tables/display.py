"""How tables print themselves: a sentence of counts and the first rows, never bare arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
from markupsafe import escape

ROWS_SHOWN = 5


class Displayed:
    """A table that prints itself; it says its counts, and may show first rows."""

    _elsewhere: ClassVar[dict[str, str]] = {}
    """Names that people know from other libraries → what to write here."""

    def _headline(self) -> str:
        """What the table holds, in counts."""
        raise NotImplementedError

    def _first_rows(self) -> pl.DataFrame | None:
        """At most ROWS_SHOWN rows; None where counts say all there is to say."""
        return None

    def _notebook_rows(self) -> pl.DataFrame | None:
        """The rows that a notebook shows as a table; those of print unless there are better ones."""
        return self._first_rows()

    if not TYPE_CHECKING:  # type checkers know the names that there are

        def __getattr__(self, name: str) -> Any:
            hint = f": write {self._elsewhere[name]}" if name in self._elsewhere else ""
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'{hint}", name=name, obj=self)

    def __repr__(self) -> str:
        rows = self._first_rows()
        if rows is None:
            return self._headline()
        with pl.Config(tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, tbl_formatting="NOTHING"):
            return f"{self._headline()}\n{rows}"

    def _repr_html_(self) -> str:
        rows = self._notebook_rows()
        table = "" if rows is None else _html_table(rows)
        lines = "<br>".join(str(escape(line)) for line in self._headline().splitlines())
        return f"<p>{lines}</p>{table}"


def headline(table: Displayed) -> str:
    """Counts of a table, the first lines of what it prints."""
    return table._headline()


def _html_table(rows: pl.DataFrame) -> str:
    """Rows as a table; polars' own writes texts in quotation marks."""
    side = ["right" if kind.is_numeric() else "left" for kind in rows.dtypes]

    def line(tag: str, cells: Iterable[object]) -> str:
        texts = zip(side, map(_cell_text, cells), strict=True)
        inside = "".join(f'<{tag} style="text-align:{to}">{escape(text)}</{tag}>' for to, text in texts)
        return f"<tr>{inside}</tr>"

    body = "".join(line("td", row) for row in rows.iter_rows())
    return f'<table class="dataframe"><thead>{line("th", rows.columns)}</thead><tbody>{body}</tbody></table>'


def _cell_text(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
