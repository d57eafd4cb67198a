"""Parquet and Arrow files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.columns import AUTO, Wanted
from heldout.data.file_patterns import digest_all, read_all
from heldout.data.parquet import SUFFIXES, read_columns
from heldout.data.reader import Reader
from heldout.errors import NotApplicableError
from heldout.tables import Log


class Parquet(Reader):
    """Ratings in a Parquet or Arrow (Feather) file: one (user, item) pair a row.

    Assumes: a column is named, or found by its usual names (`auto`); `none` says that there is no such column. Ids are
    whole numbers or texts; without a value column every value is 1; missing ids and values are errors unless
    `on_bad_rows=skip`. A pattern such as `part-*.parquet` reads many files.

    Example: columns `user_id`, `item_id` and `rating` with the row (7, 3, 4.5) give user 7, item 3, value 4.5.
    """

    key = "parquet"
    aliases = ("arrow", "feather")
    recognised_files = {f"*{suffix}": "" for suffix in SUFFIXES}

    path: str = param(REQUIRED, "the file: .parquet, .pq, .arrow, .feather or .ipc, or a pattern of many")
    user: str = param(AUTO, "the column of users")
    item: str = param(AUTO, "the column of items")
    value: str | None = param(AUTO, "the column of ratings or counts", also=("rating",))
    time: str | None = param(AUTO, "the column of times", also=("timestamp",))
    utility: str | None = param(AUTO, "the column of utilities, such as profits")
    time_format: str | None = param(None, "how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        return read_all(self.path, self._read)

    def _read(self, file: Path) -> Log:
        wanted = {"user": self.user, "item": self.item, "value": self.value, "time": self.time, "utility": self.utility}
        table = read_columns(file, wanted, ("user", "item"))
        return log_of(replace(table, time_format=self.time_format), self.on_bad_rows)

    @property
    def parquet_files(self) -> tuple[str, Wanted]:
        if self.on_bad_rows != "error":
            raise NotApplicableError("streaming cannot skip bad rows", where=str(self), hint="leave on_bad_rows out")
        return self.path, {"user": self.user, "item": self.item, "value": self.value, "utility": self.utility}

    def source_digest(self) -> str:
        return digest_all(self.path)
