"""Baskets of the Frequent Itemset Mining repository."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadLine, BadRows, Table, log_of
from heldout.data.dialect import split_blanks
from heldout.data.file_patterns import digest_all, files_of
from heldout.data.lines import LineOrigin, text_lines
from heldout.data.reader import Reader
from heldout.errors import InputError
from heldout.tables import Log

_WIDEST = 5
"""Numbers in a row of ratings, at most: user, item, value, time, utility."""


class Fimi(Reader):
    """Baskets: one a line, the items it holds separated by blanks; the user is the number of the line.

    Assumes: a basket is all that is known of a user, since the files name no customers; every value is 1. Items are whole
    numbers, and what is none is bad; or texts, where most are. An item twice in one basket is a repeated pair.

    Example: a second line `36 38 39` gives user 2 the items 36, 38 and 39.
    """

    key = "fimi"
    counts = True
    aliases = ("baskets",)
    references = ("brijs1999",)

    path: str = param(REQUIRED, "the file, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        (file,) = files_of(self.path)
        lines, broken = text_lines(file)
        rows = (
            lines.with_columns(pl.col("text").str.replace_all("\t", " ").str.split(" "))
            .explode("text")
            .filter(pl.col("text") != "")
        )
        item, is_number = rows["text"], rows["text"].str.contains(r"^\d+$")
        if 2 * int(is_number.sum()) > len(is_number):
            wrong = [
                BadLine(line, "an item is not a whole number", found=text, expected="whole numbers as items")
                for line, text in rows.filter(~is_number).iter_rows()
            ]
            broken = tuple(sorted((*broken, *wrong), key=lambda bad: bad.line))
            rows, item = rows.filter(is_number), item.filter(is_number)
        table = Table(
            columns={"user": rows["line"], "item": item},
            labels={"user": "line", "item": "item"},
            origin=LineOrigin(str(file), np.asarray(rows["line"])),
            broken=broken,
        )
        return log_of(table, self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self.path)


def are_baskets(lines: list[str]) -> bool:
    """Whether the first lines are whole numbers of so many lengths that they are plainly baskets."""
    widths = _widths(lines)
    return len(widths) > 2 and max(widths) > _WIDEST and widths.most_common(1)[0][1] * 2 <= len(lines)


def refuse_ragged(lines: list[str], file: object) -> None:
    """InputError when lines of a few whole numbers have so many lengths that they may be baskets or damaged ratings."""
    widths = _widths(lines)
    if len(widths) > 2:
        raise InputError(
            "these may be baskets, or ratings of which fields are missing",
            file=file,
            found=[f"{width}" for width in sorted(widths)[:6]],
            expected="the same number of fields in each line",
            hint=f'pass fimi("{file}") for baskets, or csv("{file}") for ratings, which names the first bad line',
        )


def _widths(lines: list[str]) -> Counter[int]:
    """How many lines have how many whole numbers; none where there is anything else."""
    rows = [split_blanks(line) for line in lines]
    if not all(part.isdecimal() for row in rows for part in row):
        return Counter()
    return Counter(map(len, rows))
