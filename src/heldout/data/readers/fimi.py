"""Baskets of the Frequent Itemset Mining repository."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.lines import LineOrigin, text_lines
from heldout.data.many import digest_all, files_of
from heldout.data.reader import Reader
from heldout.data.typed import Table, log_of
from heldout.tables import Log


class Fimi(Reader):
    """Baskets: one a line, the items it holds separated by blanks; the user is the number of the line.

    Assumes: a basket is all that is known of a user, since the files name no customers; every value is 1. An item twice in
    one basket is a repeated pair.

    Example: a second line `36 38 39` gives user 2 the items 36, 38 and 39.
    """

    key = "fimi"
    aliases = ("baskets",)
    references = ("brijs1999",)

    path: str = param(REQUIRED, "the file, plain or compressed")

    def read(self) -> Log:
        (file,) = files_of(self.path)
        lines = text_lines(file)
        rows = lines.with_columns(pl.col("text").str.split(" ")).explode("text").filter(pl.col("text") != "")
        columns = {"user": rows["line"], "item": rows["text"]}
        return log_of(Table(columns, {"user": "line", "item": "item"}, LineOrigin(str(file), np.asarray(rows["line"]))))

    @classmethod
    def recognises(cls, path: Path, lines: list[str]) -> bool:
        widths = {len(line.split()) for line in lines}
        plain = all(part.isdigit() for line in lines for part in line.split())
        return path.is_file() and len(widths) > 2 and plain

    def source_digest(self) -> str:
        return digest_all(self.path)
