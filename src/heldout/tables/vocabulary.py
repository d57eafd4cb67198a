"""External ids ⇄ 0…n−1: the only place where ids become numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.errors import InputError
from heldout.tables.arrays import Int32, Int64, Ints, digest_of
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.ordering import taken
from heldout.text.numbers import counted

_DENSE = 1 << 26
_FEW = 1000
PLAIN_NUMBER = r"^(0|-?[1-9][0-9]{0,18})$"
"""Texts that are whole numbers in their only spelling; "007" is not. Whether one fits 64 bits, a cast must tell."""


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary(Displayed):
    """Distinct ids in ascending order; the code of an id is its place.

    Ids are whole numbers (int64) or texts (compared by code point). Ascending order makes codes reproducible: the same
    ids give the same codes whatever file or order they came in.
    """

    ids: NDArray[Any]

    def _headline(self) -> str:
        """What the table holds, in counts."""
        first = [str(identifier) for identifier in self.ids[:ROWS_SHOWN]]
        more = ["…"] if len(self) > ROWS_SHOWN else []
        return f"{counted(len(self), 'id')}: {', '.join(first + more)}"

    @classmethod
    def of(cls, *columns: pl.Series) -> Vocabulary:
        """The vocabulary of one or more id columns; texts and numbers mix as texts."""
        if all(c.dtype.is_integer() for c in columns):
            distinct = [_distinct(c.cast(pl.Int64).to_numpy()) for c in columns if len(c)]
            return cls(
                _locked(distinct[0] if len(distinct) == 1 else np.unique(np.concatenate([np.empty(0, np.int64), *distinct])))
            )
        texts = [c.cast(pl.String) for c in columns]
        return coded(pl.concat([text.gather(numbered(text)[1]) for text in texts]))[0]

    @classmethod
    def numbered(cls, n: int) -> Vocabulary:
        """The ids 0…n−1 themselves, for data that is numbered already."""
        return cls(_locked(np.arange(n, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and (self is other or self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def is_text(self) -> bool:
        """Whether the ids are texts."""
        return self.ids.dtype == object

    @cached_property
    def digest(self) -> str:
        """sha256 of the ids."""
        return digest_of(self.ids)

    def encode(self, column: pl.Series) -> Int32:
        """Codes of a column of ids, −1 where an id is unknown."""
        if self.is_text:
            return self._encode_texts(column.cast(pl.String))
        if not column.dtype.is_integer():
            text = column.cast(pl.String)
            plain = text.str.contains(PLAIN_NUMBER)
            column = pl.select(pl.when(plain).then(text)).to_series().cast(pl.Int64, strict=False)
            if column.null_count():
                present = column.is_not_null().to_numpy()
                codes = np.full(len(column), -1, dtype=np.int32)
                codes[present] = self._encode_numbers(column.drop_nulls().to_numpy())
                return codes
        return self._encode_numbers(column.cast(pl.Int64).to_numpy())

    def _encode_texts(self, column: pl.Series) -> Int32:
        if len(self.ids) == 0 or len(column) == 0:
            return np.full(len(column), -1, dtype=np.int32)
        found = _found(_hashes(column), _hashes(self.series))
        known = found >= 0
        same = self.series.gather(found if known.all() else np.where(known, found, 0)) == column
        if (same.fill_null(False).to_numpy() == known).all():
            return found
        places = column.cast(pl.Enum(self.ids.tolist()), strict=False).to_physical()  # two texts have one hash
        return np.asarray(places.cast(pl.Int32).fill_null(-1).to_numpy())

    def _encode_numbers(self, numbers: Int64) -> Int32:
        if len(self.ids) == 0 or len(numbers) == 0:
            return np.full(len(numbers), -1, dtype=np.int32)
        from heldout.kernels.encoding import look_up

        numbers = np.ascontiguousarray(numbers)
        codes = np.empty(len(numbers), dtype=np.int32)
        low, high = int(self.ids[0]), int(self.ids[-1])
        if high - low < min(_DENSE, 16 * (len(self.ids) + len(numbers)) + 1024):
            table = np.full(high - low + 1, -1, dtype=np.int32)
            table[self.ids - low] = np.arange(len(self.ids), dtype=np.int32)
            look_up(numbers, low, table, codes)
            return codes
        return _found(numbers, self.ids)

    def decode(self, codes: Ints) -> pl.Series:
        """Ids of codes, as texts or numbers."""
        if self.is_text:
            return self.series.gather(codes)
        return pl.Series("id", self.ids[codes])

    @cached_property
    def series(self) -> pl.Series:
        """The ids as a polars column."""
        return pl.Series("id", self.ids.tolist() if self.is_text else self.ids)

    @cached_property
    def catalogue_rank(self) -> Int32:
        """For every code its place in the catalogue: whole numbers by value, then texts by code point.

        Numbers keep their order also where other ids are texts, so that a system's ties do not depend on the others' ids.
        """
        rank = np.arange(len(self), dtype=np.int32)
        if self.is_text:
            texts = self.series
            plain = texts.str.contains(PLAIN_NUMBER)
            number = pl.select(pl.when(plain).then(texts)).to_series().cast(pl.Int64, strict=False)
            order = pl.DataFrame({"number": number, "text": texts}).select(pl.arg_sort_by("number", "text", nulls_last=True))
            rank[order.to_series().to_numpy()] = np.arange(len(self), dtype=np.int32)
        return rank

    @cached_property
    def byte_rank(self) -> Int32:
        """For every code its place when ids are sorted as bytes: the order in which trec_eval compares them."""
        order = self.series.cast(pl.String).cast(pl.Binary).arg_sort().to_numpy()
        rank = np.empty(len(self), dtype=np.int32)
        rank[order] = np.arange(len(self), dtype=np.int32)
        return rank


def coded(column: pl.Series) -> tuple[Vocabulary, Int32]:
    """The vocabulary of a column of ids, and the code of every row."""
    if column.dtype.is_integer():
        vocabulary = Vocabulary.of(column)
        return vocabulary, vocabulary.encode(column)
    column = column.cast(pl.String)
    number, firsts = numbered(column)
    texts = column.gather(firsts)
    order = texts.arg_sort().to_numpy()
    code = np.empty(len(order), dtype=np.int32)
    code[order] = np.arange(len(order), dtype=np.int32)
    vocabulary = Vocabulary(_locked(np.array(texts.gather(order).to_list(), dtype=object)))
    return vocabulary, taken(code, number)


def codes_among(vocabulary: Vocabulary, other: Vocabulary) -> Int32:
    """For every code of the other vocabulary the code of the same id in the first one, −1 if it is unknown there."""
    return np.arange(len(other), dtype=np.int32) if other is vocabulary else vocabulary.encode(other.series)


def recoded(codes: Int32, code_by_code: Int32) -> Int32:
    """code_by_code[codes]; the codes themselves if none changes."""
    return codes if np.array_equal(code_by_code, np.arange(len(code_by_code))) else taken(code_by_code, codes)


def id_column(column: pl.Series, *, file: object = None, name: str | None = None) -> pl.Series:
    """An id column as int64 or text; texts that are all plain whole numbers become numbers, "007" never does."""
    label = name or column.name
    if column.null_count():
        first = int(column.is_null().arg_max() or 0)
        raise InputError(
            counted(column.null_count(), "missing id"), file=file, row=first + 1, column=label, expected="an id"
        )
    if column.dtype.is_integer():
        numbers = column.cast(pl.Int64, strict=False)
        return column.cast(pl.String) if numbers.null_count() else numbers
    if column.dtype == pl.String:
        for part in (column.head(_FEW), column):  # texts mostly show it soon
            numbers = part.cast(pl.Int64, strict=False)
            if len(part) == 0 or numbers.null_count() or part.str.len_bytes().sum() != _written_length(numbers.to_numpy()):
                return column
        return numbers
    if column.dtype in (pl.Categorical, pl.Enum):
        return id_column(column.cast(pl.String), file=file, name=name)
    raise InputError(file=file, column=label, found=column.dtype, expected="whole numbers or texts as ids")


def numbered(column: pl.Series) -> tuple[Int32, Int64]:
    """The number of every row's text among the distinct ones, in the order of their first rows; and these rows.

    Texts are told apart by a hash of 64 bits, and then compared.
    """
    codes, firsts = distinct_rows(_hashes(column))
    if not (column.gather(firsts).gather(codes) == column).all():  # two texts have one hash
        first = pl.DataFrame({"text": column}).with_row_index("row").group_by("text", maintain_order=True).first()
        firsts = first["row"].cast(pl.Int64).to_numpy()
        codes = column.cast(pl.Enum(first["text"])).to_physical().cast(pl.Int32).to_numpy()
    return codes, firsts


def distinct_rows(numbers: Int64) -> tuple[Int32, Int64]:
    """The number of every row's value among the distinct ones, in the order of their first rows; and these rows."""
    from heldout.kernels.encoding import fill, number_distinct

    numbers = np.ascontiguousarray(numbers)
    codes, firsts = np.empty(len(numbers), dtype=np.int32), np.empty(len(numbers), dtype=np.int64)
    row, count, size = 0, 0, 1 << 12
    while row < len(numbers):
        size *= 2
        keys, slots = np.empty(size, dtype=np.int64), np.full(size, -1, dtype=np.int32)
        fill(numbers[firsts[:count]], keys, slots)
        row, count = number_distinct(numbers, row, count, keys, slots, codes, firsts)
    return codes, firsts[:count].copy()


def _found(numbers: Int64, among: Int64) -> Int32:
    """The place of every number among distinct ones, −1 if it is not one of them."""
    from heldout.kernels.encoding import fill, find

    size = 1 << (2 * len(among)).bit_length()
    keys, slots = np.empty(size, dtype=np.int64), np.full(size, -1, dtype=np.int32)
    fill(among, keys, slots)
    codes = np.empty(len(numbers), dtype=np.int32)
    find(numbers, keys, slots, codes)
    return codes


def _hashes(texts: pl.Series) -> Int64:
    return texts.hash().to_numpy().view(np.int64)


def _written_length(numbers: Int64) -> int:
    """How many characters numbers have in all; a text with more is a number in another spelling, such as 007."""
    length, limit = len(numbers) + int((numbers < 0).sum()), 10
    low, high = int(numbers.min()), int(numbers.max())
    while limit <= max(high, -low):
        length += int((numbers >= limit).sum()) if high >= limit else 0
        length += int((numbers <= -limit).sum()) if low <= -limit else 0
        limit *= 10
    return length


def _distinct(numbers: Int64) -> Int64:
    """The distinct numbers, ascending: marked in a table where they lie close together."""
    from heldout.kernels.encoding import bounds, mark

    low, high = (int(x) for x in bounds(numbers))
    if high - low >= min(_DENSE, 16 * len(numbers) + 1024):
        return np.asarray(pl.Series(numbers).unique().sort().to_numpy())
    seen = np.zeros(high - low + 1, dtype=np.bool_)
    mark(numbers, low, seen)
    return np.flatnonzero(seen) + low


def _locked(ids: NDArray[Any]) -> NDArray[Any]:
    if ids.flags.writeable:
        ids.flags.writeable = False
    return ids
