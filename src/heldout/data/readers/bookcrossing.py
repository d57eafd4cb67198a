"""BookCrossing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table, text_frame
from heldout.data.file_patterns import beside, file_in
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.tables import Log, Side
from heldout.tables.selection import rows_of

_FILES = ("BX-Book-Ratings.csv",)
_WANTED = {"user": "User-ID", "item": "ISBN", "value": "Book-Rating"}


class BookCrossing(Reader):
    """BookCrossing: ratings 1 to 10 of books by ISBN, and 0 where a reader has a book but gave it no rating.

    Assumes: the published form, which is Latin-1 with semicolons, quotation marks and backslash escapes. `rows=explicit`
    leaves out the zeros, `rows=implicit` keeps them alone. ISBNs are as readers typed them. `BX-Books.csv` and
    `BX-Users.csv` beside it are the item and user tables.

    Example: the line `"276725";"034545104X";"0"` is an implicit rating of user 276725.
    """

    key = "bookcrossing"
    title = "BookCrossing"
    aliases = ("book_crossing",)
    references = ("ziegler2005",)
    recognised_files = {"*": "User-ID;ISBN;Book-Rating(\n|$)"}
    recognised_folders = (_FILES,)

    path: str = param(REQUIRED, "the folder or BX-Book-Ratings.csv, plain or compressed")
    rows: Literal["all", "explicit", "implicit"] = param("all", "which ratings: all, those from 1 on, or the zeros")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def file(self) -> Path:
        """The file of ratings itself."""
        return file_in(self.path, _FILES, "BookCrossing ratings")

    def read(self) -> Log:
        bad = self.on_bad_rows
        table = read_table(self.file(), _WANTED, separator=";", header=True, encoding="latin-1")
        log = log_of(table, bad)
        if self.rows == "all":
            return log
        return rows_of(log, log.value > 0 if self.rows == "explicit" else log.value == 0)

    def source_digest(self) -> str:
        return file_digest(self.file())

    def item_table(self) -> Side | None:
        """Titles, authors, years and publishers."""
        return self._side("BX-Books.csv", "ISBN")

    def user_table(self) -> Side | None:
        """Places and ages."""
        return self._side("BX-Users.csv", "User-ID")

    def _side(self, name: str, id_name: str) -> Side | None:
        file = beside(self.file(), (name,))
        if file is None:
            return None
        return Side.of(text_frame(file, separator=";", quoted=True, encoding="latin-1"), id_name, source=str(file))
