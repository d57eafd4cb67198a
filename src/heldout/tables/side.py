"""What is known of users or items besides their ratings: titles, genres, ages, prices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from heldout.errors import InputError, UnknownNameError
from heldout.tables.arrays import Float64, Int32, Int64, Ints, digest_of, frozen
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.vocabulary import Vocabulary, id_column
from heldout.text.numbers import counted


@dataclass(frozen=True, eq=False)
class Features:
    """For every code of a vocabulary the features it has, as CSR: genres of items, tags, groups."""

    names: tuple[str, ...]
    indptr: Int64
    feature: Int32

    @cached_property
    def digest(self) -> str:
        """sha256 of names and entries."""
        return digest_of("\x1f".join(self.names), self.indptr, self.feature)


@dataclass(frozen=True, eq=False, repr=False)
class Side(Displayed):
    """One row per id: a column of external ids and any others; a column may hold several features in one text.

    Of a table of items, one row per pair where `users` are given: what is known of a user's rating of an item.
    """

    ids: pl.Series
    columns: pl.DataFrame
    source: str = "side table"
    users: pl.Series | None = None

    def _headline(self) -> str:
        """What the table holds, in counts."""
        return f"{counted(len(self.ids), 'row')} of {self.source}"

    def _first_rows(self) -> pl.DataFrame:
        """The first rows."""
        return self.columns.head(ROWS_SHOWN).insert_column(0, self.ids.head(ROWS_SHOWN).alias("id"))

    @classmethod
    def of(cls, frame: pl.DataFrame, id_name: str, *, source: str = "side table", user_name: str | None = None) -> Side:
        """The table with this column of ids; an id that occurs twice or is missing is an InputError.

        With a column of users that has no gaps, the table is of pairs: ids may occur twice, and pairs may not.
        """
        if id_name not in frame.columns:
            raise UnknownNameError("column", id_name, frame.columns, where=source)
        ids = id_column(frame[id_name], file=source, name=id_name)
        repeated = ids.n_unique() < len(ids)
        if user_name not in (None, id_name) and (repeated or not frame[user_name].has_nulls()):
            return cls._of_pairs(frame if not repeated else frame.drop(user_name), ids, id_name, frame[user_name], source)
        if repeated:
            first = ids.filter(ids.is_duplicated())[0]
            raise InputError(
                counted(len(ids) - ids.n_unique(), "repeated id"),
                file=source,
                column=id_name,
                found=first,
                expected="one row for each id",
            )
        return cls(ids, frame.drop(id_name), source)

    @classmethod
    def _of_pairs(cls, frame: pl.DataFrame, ids: pl.Series, id_name: str, raters: pl.Series, source: str) -> Side:
        users = id_column(raters, file=source, name=raters.name)
        twice = pl.DataFrame({"user": users, "id": ids}).is_duplicated()
        if twice.any():
            raise InputError(
                f"{twice.sum():,} rows with repeated pairs",
                file=source,
                column=f"{raters.name}, {id_name}",
                found=[str(users.filter(twice)[0]), str(ids.filter(twice)[0])],
                expected="one row for each pair",
            )
        return cls(ids, frame.drop(id_name), source, users)

    def __len__(self) -> int:
        return len(self.ids)

    def aligned(self, vocabulary: Vocabulary) -> pl.DataFrame:
        """The columns, one row per code of the vocabulary; nulls where an id is not in this table."""
        if self.ids.n_unique() < len(self):
            raise InputError(file=self.source, found="one row for each user and item", expected="one row for each item")
        codes = vocabulary.encode(self.ids)
        present = codes >= 0
        place = np.full(len(vocabulary), len(self), dtype=np.int64)
        place[codes[present]] = np.flatnonzero(present)
        taken = pl.Series(np.where(place == len(self), -1, place))
        return self.columns.select(pl.all().gather(taken.replace(-1, None)))

    @cached_property
    def digest(self) -> str:
        """sha256 of ids and columns."""
        texts = [self.ids.cast(pl.String), *(self._text(name) for name in self.columns.columns)]
        texts += [] if self.users is None else [self.users.cast(pl.String)]
        return digest_of("\x1f".join(self.columns.columns), *("\x1f".join(t.fill_null("\x1e")) for t in texts))

    def _text(self, name: str) -> pl.Series:
        column = self.columns[name]
        return column.cast(pl.List(pl.String)).list.join("\x1d") if column.dtype == pl.List else column.cast(pl.String)

    def numbers(self, column: str, vocabulary: Vocabulary) -> Float64:
        """A column of numbers, one for every code of the vocabulary; NaN where there is none."""
        return self._as_numbers(self.aligned(vocabulary), column)

    def numbers_of_pairs(self, column: str, users: Vocabulary, items: Vocabulary, user: Ints, item: Ints) -> Float64:
        """A column of numbers, one for every pair of codes; NaN where there is none. The table is one of pairs."""
        if self.users is None or not len(self):
            return np.asarray(self.numbers(column, items)[item])
        width = len(items) + 1  # place 0 of either is for ids that the vocabulary lacks
        listed = (users.encode(self.users).astype(np.int64) + 1) * width + items.encode(self.ids) + 1
        order = np.argsort(listed)
        wanted = (np.asarray(user, np.int64) + 1) * width + item + 1
        at = np.searchsorted(listed, wanted, sorter=order).clip(max=len(listed) - 1)
        met = listed[order[at]] == wanted
        return np.where(met, self._as_numbers(self.columns, column)[order[at]], np.nan)

    def _as_numbers(self, rows: pl.DataFrame, column: str) -> Float64:
        if column not in rows.columns:
            raise UnknownNameError("column", column, rows.columns, where=self.source)
        numbers = number_column(rows[column], file=self.source)
        return frozen(numbers.fill_null(float("nan")).to_numpy(), np.float64)

    def features(self, column: str, vocabulary: Vocabulary, *, separator: str = "|") -> Features:
        """The features that a column of texts such as `Action|Comedy` names, for every code of the vocabulary."""
        if column not in self.columns.columns:
            raise UnknownNameError("column", column, self.columns.columns, where=self.source)
        lists = self.aligned(vocabulary)[column]
        if lists.dtype != pl.List:
            lists = lists.cast(pl.String).str.split(separator)
        cleaned = lists.list.eval(pl.element().cast(pl.String).str.strip_chars()).list.unique(maintain_order=True)
        cleaned = cleaned.list.eval(pl.element().filter(pl.element() != "")).fill_null(
            pl.Series([[]], dtype=pl.List(pl.String))
        )
        names = cleaned.explode().drop_nulls().unique().sort()
        lengths = cleaned.list.len().to_numpy()
        indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        flat = cleaned.explode().drop_nulls()
        codes = flat.cast(pl.Enum(names)).to_physical().cast(pl.Int32).to_numpy() if len(flat) else np.empty(0, np.int32)
        return Features(tuple(names.to_list()), frozen(indptr, np.int64), frozen(codes, np.int32))


def number_column(column: pl.Series, *, file: object) -> pl.Series:
    """The column as floats; InputError with the first value that is not a number."""
    try:
        return column.cast(pl.Float64)
    except pl.exceptions.PolarsError:
        texts = column.drop_nulls() if column.dtype == pl.String else pl.Series([], dtype=pl.String)
        wrong = texts.filter(texts.cast(pl.Float64, strict=False).is_null())
        found = wrong[0] if len(wrong) else column.dtype
        raise InputError(file=file, column=column.name, found=found, expected="numbers") from None
