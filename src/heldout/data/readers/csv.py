"""Delimited text with any separator, with or without a header."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.columns import AUTO
from heldout.data.delimited import read_table
from heldout.data.file_patterns import digest_all, read_all
from heldout.data.reader import Reader
from heldout.tables import Log


class Csv(Reader):
    """Ratings in delimited text: one (user, item) pair a line, with a value, a time and a utility where there are any.

    Assumes: UTF-8 unless said; a column is named, or numbered from 1 where there is no header; `auto` finds it by the
    usual names, or in the order user, item, value, time; `none` says that there is no such column. There is a header
    if the value of the first line is not a number. Without a value column every value is 1. Times are seconds,
    milliseconds, microseconds or nanoseconds since 1970, ISO dates, or what `time_format` says; they keep their
    precision. A field that is missing or no number is an error unless `on_bad_rows=skip`. A pattern such as
    `2004-*.csv` reads many files. Blanks and tabs around a field that is not quoted are left out. Other white space,
    such as a no-break space, is part of the field. Quoted fields are kept as they are.

    Example: of the file `u,i,5` under the header `user,item,rating`, one rating: user u, item i, value 5.
    """

    key = "csv"
    aliases = ("tsv",)

    path: str = param(REQUIRED, "the file, plain or compressed (.gz, .xz, .bz2, .zst), or a pattern of many")
    user: str = param(AUTO, "the column of users")
    item: str = param(AUTO, "the column of items")
    value: str | None = param(AUTO, "the column of ratings or counts", also=("rating",))
    time: str | None = param(AUTO, "the column of times", also=("timestamp",))
    utility: str | None = param(AUTO, "the column of utilities, such as profits")
    separator: str | None = param(
        None, "tab, comma, semicolon, pipe, whitespace or any text; none: found out", also=("sep",)
    )
    header: bool | None = param(None, "whether the first line names the columns; none: found out")
    encoding: str = param("utf-8", "how the text is encoded, such as latin-1")
    time_format: str | None = param(None, "how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        return read_all(self.path, self._read)

    def _read(self, file: Path) -> Log:
        wanted = {"user": self.user, "item": self.item, "value": self.value, "time": self.time, "utility": self.utility}
        table = read_table(
            file,
            wanted,
            separator=self.separator,
            header=self.header,
            encoding=self.encoding,
        )
        return log_of(replace(table, time_format=self.time_format), self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self.path)
