"""How tables print themselves: a sentence of counts and the first rows, never bare arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
from markupsafe import escape

ROWS_SHOWN = 5


class Displayed:
    """A table that prints itself; it says its counts, and may show first rows."""

    elsewhere: ClassVar[dict[str, str]] = {}
    """Names that people know from other libraries → what to write here."""

    def headline(self) -> str:
        """What the table holds, in counts."""
        raise NotImplementedError

    def first_rows(self) -> pl.DataFrame | None:
        """At most ROWS_SHOWN rows; None where counts say all there is to say."""
        return None

    def notebook_rows(self) -> pl.DataFrame | None:
        """The rows that a notebook shows as a table; those of print unless there are better ones."""
        return self.first_rows()

    if not TYPE_CHECKING:  # type checkers know the names that there are

        def __getattr__(self, name: str) -> Any:
            hint = f": write {self.elsewhere[name]}" if name in self.elsewhere else ""
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'{hint}", name=name, obj=self)

    def __repr__(self) -> str:
        rows = self.first_rows()
        if rows is None:
            return self.headline()
        with pl.Config(tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, tbl_formatting="NOTHING"):
            return f"{self.headline()}\n{rows}"

    def _repr_html_(self) -> str:
        rows = self.notebook_rows()
        with pl.Config(tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True):
            table = "" if rows is None else rows._repr_html_()
        lines = "<br>".join(str(escape(line)) for line in self.headline().splitlines())
        return f"<p>{lines}</p>{table}"
