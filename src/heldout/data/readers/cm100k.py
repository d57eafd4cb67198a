"""Crowdsourced Music 100K."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table
from heldout.data.file_patterns import beside, file_in
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.tables import Log
from heldout.tables.selection import rows_of


class CM100k(Reader):
    """CM100k: ratings 1 to 4 of songs drawn at random for each user, with whether the user knew the song before.

    Assumes: all rows are missing at random; those with `known=yes` are what users would have met by themselves, so that
    `given(train="cm100k(…, known=yes)", test="cm100k(…, known=no)")` trains on biased and tests on other data, and
    `heldout truth` holds what is measured on `cm100k(…, known=yes)` against all rows.

    Example: the line `u7 i3 4 1` is a rating of 4 by user u7 of a song that u7 knew.
    """

    key = "cm100k"
    title = "CM100k"
    references = ("canamares2018",)
    recognised_folders = (("data.txt", "users.txt", "items.txt"),)

    path: str = param(REQUIRED, "the folder or data.txt, plain or compressed")
    known: Literal["any", "yes", "no"] = param("any", "rows of which songs: any, known before, not known before")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def file(self) -> Path:
        """The file of ratings itself."""
        return file_in(self.path, ("data.txt",), "CM100k ratings")

    def read(self) -> Log:
        wanted = {"user": "1", "item": "2", "value": "3", "known": "4"}
        table = read_table(self.file(), wanted, separator="\t", header=False)
        if self.on_bad_rows == "skip":
            table = table.without_bad_rows()
        log = log_of(table)
        if self.known == "any":
            return log
        return rows_of(log, table.numbers("known") == (1.0 if self.known == "yes" else 0.0))

    def random_sample(self) -> CM100k | None:
        """All rows, where this reads the known songs alone."""
        return self.replace(known="any") if self.known == "yes" else None

    def source_digest(self) -> str:
        return file_digest(self.file())

    def listed(self, what: Literal["users", "items"]) -> list[str]:
        """The ids in users.txt or items.txt."""
        file = beside(self.file(), (f"{what}.txt",))
        return [] if file is None else file.read_text(encoding="utf-8").split()
