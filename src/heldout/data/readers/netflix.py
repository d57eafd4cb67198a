"""The Netflix Prize."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadLine, BadRows, Table, log_of
from heldout.data.delimited import text_frame
from heldout.data.file_patterns import files_of
from heldout.data.lines import LineOrigin, text_lines
from heldout.data.paths import is_folder, located
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.tables import Log, Side, concat_logs
from heldout.tables.arrays import digest_of

_ROW = r"^(\d+),([^,]+),([^,]+)$"
_FORM = "user,rating,date"
_HEAD = "a film's id and a colon before its ratings"
_PATTERNS = ("mv_*.txt", "training_set/mv_*.txt", "combined_data_*.txt")


class Netflix(Reader):
    """The Netflix Prize: `mv_0000001.txt` and so on, or the four `combined_data_*.txt`; a film's id, then its ratings.

    Assumes: a line `1:` begins a film, and each line below it is `user,rating,date` until the next film; stars 1 to 5, dates
    without a time of day. `movie_titles` beside them is the item table.

    Example: the lines `1:` and `1488844,3,2005-09-06` give user 1488844, item 1, value 3.
    """

    key = "netflix"
    timed = True
    title = "Netflix Prize"
    references = ("bennett2007",)
    recognised_files = {"*": r"\d+:+\n[^,\n]*,[^,\n]*,[^,\n]*(\n|$)"}
    recognised_folders = tuple((pattern,) for pattern in _PATTERNS)

    path: str = param(REQUIRED, "the folder, a file or a pattern of many, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def files(self) -> tuple[Path, ...]:
        """The files of ratings, by name."""
        folder = located(self.path)
        if not is_folder(folder):
            return files_of(self.path)
        for pattern in _PATTERNS:
            files = tuple(sorted(folder.glob(f"{pattern}*")))
            if files:
                return files
        raise InputError("there are no Netflix ratings in this folder", file=folder, expected=", ".join(_PATTERNS))

    def read(self) -> Log:
        return concat_logs((self._read(file) for file in self.files()), str(self.path))

    def _read(self, file: Path) -> Log:
        lines, broken = text_lines(file)
        head = pl.col("text").str.ends_with(":")
        named = pl.col("text").str.contains(r"^\d+:$")
        film = pl.when(named).then(pl.col("text").str.head(-1)).when(head).then(pl.lit("")).forward_fill()
        lines = lines.with_columns(film.alias("film"))
        heads = lines.filter(head & ~named)
        rows = lines.filter(~head)
        if heads.height == 0 and rows.height and rows["film"][0] is None:
            line, text, _ = rows.row(0)
            raise InputError(file=file, line=line, found=text, expected=_HEAD)
        fields = rows["text"].str.extract_groups(_ROW)
        strange = fields.struct.field("1").is_null()
        lost = ~strange & (rows["film"].fill_null("") == "")
        wrong = [
            BadLine(line, reason, found=text, expected=expected)
            for bad, reason, expected in (
                (heads, "not a film's id", _HEAD),
                (rows.filter(strange), f"not {_FORM}", _FORM),
                (rows.filter(lost), "a rating without a film", _HEAD),
            )
            for line, text, _ in bad.iter_rows()
        ]
        broken = tuple(sorted((*broken, *wrong), key=lambda bad: bad.line))
        rows, fields = rows.filter(~(strange | lost)), fields.filter(~(strange | lost))
        user, value, date = (fields.struct.field(str(k)) for k in (1, 2, 3))
        columns = {"user": user, "item": rows["film"], "value": value, "time": date}
        labels = {"user": "user", "item": "film", "value": "rating", "time": "date"}
        origin = LineOrigin(str(file), rows["line"].to_numpy())
        return log_of(Table(columns=columns, labels=labels, origin=origin, broken=broken), self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_of(*(file_digest(file) for file in self.files()))

    def item_table(self) -> Side | None:
        """Years and titles; a title may hold commas."""
        first = self.files()[0]
        file = next((p for folder in first.parents[:2] for p in sorted(folder.glob("movie_titles*"))), None)
        if file is None:
            return None
        frame = text_frame(file, separator="\n", names=("line",), encoding="latin-1")
        fields = frame["line"].str.strip_chars().str.extract_groups(r"^(\d+),([^,]*),(.*)$").struct.unnest()
        named = fields.rename(dict(zip(fields.columns, ("item_id", "year", "title"), strict=True)))
        return Side.of(named, "item_id", source=str(file))
