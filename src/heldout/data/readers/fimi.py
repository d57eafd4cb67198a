"""Baskets of the Frequent Itemset Mining repository."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.lines import LineOrigin, text_lines
from heldout.data.many import digest_all, files_of
from heldout.data.reader import Reader
from heldout.data.typed import BAD_ROWS, BadLine, BadRows, Table, log_of
from heldout.tables import Log


class Fimi(Reader):
    """Baskets: one a line, the items it holds separated by blanks; the user is the number of the line.

    Assumes: a basket is all that is known of a user, since the files name no customers; every value is 1. Items are whole
    numbers, and what is none is bad; or texts, where most are. An item twice in one basket is a repeated pair.

    Example: a second line `36 38 39` gives user 2 the items 36, 38 and 39.
    """

    key = "fimi"
    aliases = ("baskets",)
    references = ("brijs1999",)

    path: str = param(REQUIRED, "the file, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        (file,) = files_of(self.path)
        lines, broken = text_lines(file)
        rows = lines.with_columns(pl.col("text").str.split(" ")).explode("text").filter(pl.col("text") != "")
        item, found = rows["text"], rows["text"].str.contains(r"^\d+$")
        if 2 * int(found.sum()) > len(found):
            wrong = [
                BadLine(line, "an item is no whole number", f"the item '{text}' is no whole number")
                for line, text in rows.filter(~found).iter_rows()
            ]
            broken = tuple(sorted((*broken, *wrong), key=lambda bad: bad.line))
            rows, item = rows.filter(found), item.filter(found)
        table = Table(
            {"user": rows["line"], "item": item},
            {"user": "line", "item": "item"},
            LineOrigin(str(file), np.asarray(rows["line"])),
            broken=broken,
        )
        return log_of(table, self.on_bad_rows)

    @classmethod
    def recognises(cls, path: Path, lines: list[str]) -> bool:
        widths = {len(line.split()) for line in lines}
        plain = all(part.isdigit() for line in lines for part in line.split())
        return path.is_file() and len(widths) > 2 and plain

    def source_digest(self) -> str:
        return digest_all(self.path)
