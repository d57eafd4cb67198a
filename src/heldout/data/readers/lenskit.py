"""Data sets that LensKit saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, FrameOrigin, Table, correct_all, log_of
from heldout.data.columns import missing_column
from heldout.data.parquet import columnar
from heldout.data.parquet_check import read_checked
from heldout.data.paths import checked_file, located
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.tables import Log, Side
from heldout.tables.arrays import digest_of


class LensKit(Reader):
    """A folder that LensKit's `Dataset.save` wrote (2025 on): `schema.json`, `user.parquet`, `item.parquet`, interactions.

    Assumes: interactions name users and items by number, which the two entity tables turn into ids. The value is the
    column `rating` or `count`, or 1; the time is `timestamp`. LensKit before 2025 saved no data sets: its tables (user,
    item, rating, timestamp) are read as frames, or from files by `csv` and `parquet`.

    Example: with user ids [10, 20] and item ids [7], the row (user_num 1, item_num 0, rating 4) gives user 20, item 7.
    """

    key = "lenskit"
    references = ("ekstrand2020",)
    recognised_folders = (("schema.json", "item.parquet"),)

    path: str = param(REQUIRED, "the folder")
    interactions: str | None = param(None, "which interactions; none: the data set's own default, or the only ones")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        name = self._name()
        frame = self._frame(name)
        columns: dict[str, pl.Series] = {}
        for role in ("user", "item"):
            if f"{role}_num" not in frame.columns:
                raise missing_column(f"{role}_num", frame.columns, file=self._file(name))
            columns[role] = self._ids(role, frame[f"{role}_num"], name)
        labels = {"user": "user_num", "item": "item_num"}
        for role, names in (("value", ("rating", "count")), ("time", ("timestamp",))):
            name_there = next((n for n in names if n in frame.columns), None)
            if name_there is not None:
                columns[role], labels[role] = frame[name_there], name_there
        return log_of(Table(columns=columns, labels=labels, origin=FrameOrigin(str(self._file(name)))), self.on_bad_rows)

    def _ids(self, role: str, numbers: pl.Series, name: str) -> pl.Series:
        """The ids of entity numbers; InputError when a number is none of the entity table's."""
        ids = self._frame(role)[f"{role}_id"]
        outside = ((numbers < 0) | (numbers >= len(ids))).fill_null(False)
        if outside.any():
            row, n = int(outside.arg_max() or 0), int(outside.sum())
            raise InputError(
                file=self._file(name),
                row=row + 1,
                column=f"{role}_num",
                found=numbers[row],
                expected=f"a row of {role}.parquet, 0 to {len(ids) - 1:,}",
                hint=correct_all(n),
            )
        return ids.gather(numbers.cast(pl.Int64))

    def source_digest(self) -> str:
        return digest_of(*(file_digest(self._file(name)) for name in (self._name(), "user", "item")))

    def item_table(self) -> Side | None:
        """The attributes of items."""
        return Side.of(self._frame("item"), "item_id", source=str(self._file("item")))

    def user_table(self) -> Side | None:
        """The attributes of users."""
        return Side.of(self._frame("user"), "user_id", source=str(self._file("user")))

    def _schema(self) -> dict[str, Any]:
        file = checked_file(located(self.path) / "schema.json")
        try:
            schema = json.loads(file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise InputError(f"cannot parse the file ({error})", file=file, expected="JSON") from None
        if not isinstance(schema, dict) or not isinstance(schema.get("relationships"), dict):
            raise InputError(file=file, expected="a schema of LensKit, with 'relationships'")
        return schema

    def _name(self) -> str:
        schema = self._schema()
        names = list(schema["relationships"])
        chosen = self.interactions or schema.get("default_interaction") or (names[0] if len(names) == 1 else None)
        if chosen is None:
            hint = f'pass lenskit("…", interactions={names[0]})' if names else ""
            raise InputError(file=self.path, found=names, expected="a choice of interactions", hint=hint)
        if chosen not in names:
            raise InputError(file=self.path, found=chosen, expected=f"interactions that are there: {', '.join(names)}")
        return str(chosen)

    def _file(self, name: str) -> Path:
        return checked_file(located(self.path) / f"{name}.parquet")

    def _frame(self, name: str) -> pl.DataFrame:
        file = self._file(name)
        with columnar(file):
            return read_checked(file)
