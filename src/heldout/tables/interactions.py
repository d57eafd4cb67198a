"""Who rated what, how, when: one row for each (user, item) pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.errors import InputError, SpecError
from heldout.tables.arrays import Bool, Float64, Int32, Int64, Ints, digest_of, frozen
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.mapped import let_go, mapped_together
from heldout.tables.ordering import counted, order_of, pair_order, repeated, taken
from heldout.tables.pair_counter import distinct_counts
from heldout.tables.time_units import TimeUnit, converted, time_series
from heldout.tables.vocabulary import Vocabulary, codes_among, recoded
from heldout.text import numbers as text

Values = Literal["rating", "binary"]
"""What the cells of a matrix of ratings hold: the ratings, or 1 for each."""
_FRAME = "ratings.to_polars(), a frame with the ids as they were"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Interactions(Displayed):
    """Ratings sorted by user, then item; `by_user` is a view, `by_item` a permutation.

    Train, validation and test of one split share the vocabularies, so a code means the same user or item in all.
    """

    _elsewhere: ClassVar[dict[str, str]] = {
        "shape": "len(ratings) for the number of ratings, ratings.to_csr().shape for users × items",
        "columns": "ratings.to_polars().columns",
        "values": "ratings.value for the ratings",
        "ratings": "ratings.value",
        "timestamp": "ratings.time",
        "user_id": f"ratings.user for codes, or {_FRAME}",
        "item_id": f"ratings.item for codes, or {_FRAME}",
        "toarray": "ratings.to_csr().toarray()",
        "tocsr": "ratings.to_csr()",
        "to_scipy": "ratings.to_csr()",
        "to_numpy": _FRAME,
        "to_pandas": "ratings.to_polars().to_pandas()",
        **dict.fromkeys(("filter", "groupby", "group_by", "iloc", "iter_rows", "iterrows", "loc", "sample", "tail"), _FRAME),
    }

    users: Vocabulary
    items: Vocabulary
    user: Int32
    item: Int32
    value: Float64
    time: Int64 | None = None
    """Times since 1970, as whole numbers of `time_unit`."""
    utility: Float64 | None = None
    merged_time: Int64 | None = None
    """The other end in time of the rows that were made one: the latest where `time` is the first, else the first."""
    time_unit: TimeUnit = "s"
    """Unit of `time` and `merged_time`: s, or ms, us or ns if the data have finer times."""

    @classmethod
    def build(
        cls,
        users: Vocabulary,
        items: Vocabulary,
        user: Ints,
        item: Ints,
        value: Float64,
        *,
        time: Int64 | None = None,
        utility: Float64 | None = None,
        merged_time: Int64 | None = None,
        time_unit: TimeUnit = "s",
    ) -> Interactions:
        """Sort rows of distinct pairs; InputError when a pair occurs twice."""
        user, item = frozen(user, np.int32), frozen(item, np.int32)
        order = pair_order(user, item, len(users), len(items))
        if order is not None:
            count, first = repeated(user, item, order)
            if count:
                raise repeated_pairs(count, users.ids[user[first]], items.ids[item[first]])
            user, item, value = taken(user, order), taken(item, order), taken(value, order)
            time = taken(time, order) if time is not None else None
            utility = taken(utility, order) if utility is not None else None
            merged_time = taken(merged_time, order) if merged_time is not None else None
        return cls(
            users=users,
            items=items,
            user=frozen(user, np.int32),
            item=frozen(item, np.int32),
            value=frozen(value, np.float64),
            time=frozen(time, np.int64) if time is not None else None,
            utility=frozen(utility, np.float64) if utility is not None else None,
            merged_time=frozen(merged_time, np.int64) if merged_time is not None else None,
            time_unit=time_unit if time is not None else "s",
        )

    def __len__(self) -> int:
        return len(self.user)

    if not TYPE_CHECKING:

        def __getitem__(self, key: Any) -> Any:
            raise InputError("ratings cannot be indexed", found=key, hint=f"write {_FRAME}")

        def __iter__(self) -> Any:
            raise InputError("ratings cannot be iterated", hint=f"write {_FRAME}")

    @property
    def n_users(self) -> int:
        """Users in the vocabulary, also those without a row here."""
        return len(self.users)

    @property
    def n_items(self) -> int:
        """Items in the vocabulary, also those without a row here."""
        return len(self.items)

    @cached_property
    def digest(self) -> str:
        """sha256 of both vocabularies and all columns that a result can depend on, so not of `merged_time`."""
        return self._digest(self.users.digest, self.items.digest)

    def fresh_digest(self) -> str:
        """The digest of what the arrays hold now; `digest` remembers what they held when it was first asked for."""
        users, items = digest_of(self.users.ids), digest_of(self.items.ids)
        return self._digest(users, items)

    def _digest(self, users: str, items: str) -> str:
        finer = () if self.time_unit == "s" else (self.time_unit,)  # times in seconds have the digest they always had
        return digest_of(users, items, self.user, self.item, self.value, self.time, self.utility, *finer)

    @cached_property
    def user_indptr(self) -> Int64:
        """Where each user's rows begin and end: rows `user_indptr[u]:user_indptr[u + 1]` are those of u, by item."""
        return frozen(counted(self.user, self.n_users), np.int64)

    @cached_property
    def by_item(self) -> tuple[Int64, Int64]:
        """Pointers and row numbers by item, each item's rows by user."""
        starts = counted(self.item, self.n_items)
        return frozen(starts, np.int64), frozen(order_of(self.item, starts), np.int64)

    @cached_property
    def user_counts(self) -> Int64:
        """Ratings of each user."""
        return frozen(np.diff(self.user_indptr), np.int64)

    @cached_property
    def item_counts(self) -> Int64:
        """Ratings of each item."""
        return frozen(np.diff(counted(self.item, self.n_items)), np.int64)

    @cached_property
    def _grades(self) -> tuple[Float64, Int64]:
        return distinct_counts(self.value)

    def select(self, rows: Bool | Ints) -> Interactions:
        """These rows only (a mask, or ascending row numbers), the vocabularies kept."""
        return self._with({name: _picked(column, rows) for name, column in self._columns()})

    def on_disk(self, folder: Path | None = None) -> Interactions:
        """The same ratings in files without a name in `folder` (None: the system's temporary folder), until they are read.

        What is read of them is let go again by `select`, so that parts can be made of more ratings than fit twice.
        WriteError where there is no room for them.
        """
        return self._with(mapped_together(dict(self._columns()), folder))

    def _with(self, columns: dict[str, Any]) -> Interactions:
        return replace(self, **columns)

    @property
    def nbytes(self) -> int:
        """Bytes that the columns take."""
        return sum(column.nbytes for _, column in self._columns())

    def _columns(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """The columns that there are, by name."""
        for name in ("user", "item", "value", "time", "utility", "merged_time"):
            if (column := getattr(self, name)) is not None:
                yield name, column

    def in_unit(self, unit: TimeUnit) -> Interactions:
        """The same ratings with times in a unit that is at least as fine."""
        if self.time is None or unit == self.time_unit:
            return self
        time, merged = frozen(converted(self.time, self.time_unit, unit), np.int64), self.merged_time
        merged = frozen(converted(merged, self.time_unit, unit), np.int64) if merged is not None else None
        return replace(self, time=time, merged_time=merged, time_unit=unit)

    def copy(self) -> Interactions:
        """The same ratings in arrays of their own, vocabularies included: nothing done to them reaches this table."""
        return Interactions(
            users=Vocabulary(_own(self.users.ids)),
            items=Vocabulary(_own(self.items.ids)),
            user=_own(self.user),
            item=_own(self.item),
            value=_own(self.value),
            time=_own(self.time) if self.time is not None else None,
            utility=_own(self.utility) if self.utility is not None else None,
            merged_time=_own(self.merged_time) if self.merged_time is not None else None,
            time_unit=self.time_unit,
        )

    def compact(self) -> Interactions:
        """The same rows with vocabularies that hold only the users and items met."""
        keep_u, keep_i = self.user_counts > 0, self.item_counts > 0
        if keep_u.all() and keep_i.all():
            return self
        new_u, new_i = np.cumsum(keep_u) - 1, np.cumsum(keep_i) - 1
        return replace(
            self,
            users=Vocabulary(self.users.ids[keep_u]),
            items=Vocabulary(self.items.ids[keep_i]),
            user=frozen(new_u[self.user], np.int32),
            item=frozen(new_i[self.item], np.int32),
        )

    def recode(self, users: Vocabulary, items: Vocabulary) -> Interactions:
        """The same rows in larger vocabularies; an id unknown there is an error."""
        user = recoded(self.user, codes_among(users, self.users))
        item = recoded(self.item, codes_among(items, self.items))
        if (user < 0).any() or (item < 0).any():
            raise InputError("some users or items are missing from the vocabulary")
        return Interactions.build(
            users,
            items,
            user,
            item,
            self.value,
            time=self.time,
            utility=self.utility,
            merged_time=self.merged_time,
            time_unit=self.time_unit,
        )

    @property
    def active_users(self) -> int:
        """Users with a rating."""
        return int((self.user_counts > 0).sum())

    @property
    def active_items(self) -> int:
        """Items with a rating."""
        return int((self.item_counts > 0).sum())

    def _headline(self) -> str:
        """Ratings, users and items with a rating, and the ranges of values and times."""
        parts = [_of_whom(len(self), self.active_users, self.active_items)]
        if len(self):
            low, high = float(self.value.min()), float(self.value.max())
            parts.append(f"values {low:g}" if low == high else f"values {low:g} to {high:g}")
        if self.time is not None and len(self):
            first, last = (str(np.datetime64(int(time), self.time_unit))[:10] for time in (self.time.min(), self.time.max()))
            parts.append(first if first == last else f"{first} to {last}")
        return ", ".join(parts)

    def head(self, n: int = ROWS_SHOWN) -> pl.DataFrame:
        """The first `n` ratings, by user and item, as a frame."""
        return self.select(np.arange(min(n, len(self)))).to_polars()

    def _first_rows(self) -> pl.DataFrame:
        return self.head()

    def to_csr(self, values: Values = "rating") -> Any:
        """A new `scipy.sparse.csr_matrix` of users × items, all of the vocabularies; "binary" gives ones for ratings."""
        from scipy.sparse import csr_matrix

        if values not in get_args(Values):
            raise SpecError(where="to_csr: 'values'", found=values, expected="rating or binary")
        data = self.value.copy() if values == "rating" else np.ones(len(self))
        return csr_matrix((data, self.item.copy(), self.user_indptr.copy()), shape=(self.n_users, self.n_items))

    def to_polars(self) -> pl.DataFrame:
        """Columns user_id, item_id, value and, if the data have them, time and utility.

        Times are whole seconds since 1970; finer times are datetimes, so that the frame keeps their unit.
        """
        columns = {
            "user_id": self.users.decode(self.user),
            "item_id": self.items.decode(self.item),
            "value": pl.Series(self.value),
        }
        if self.time is not None:
            columns["time"] = time_series(self.time, self.time_unit)
        if self.utility is not None:
            columns["utility"] = pl.Series(self.utility)
        return pl.DataFrame(columns)


def grades_of(ratings: Interactions) -> tuple[Float64, Int64]:
    """The distinct values of ratings, ascending, and how often each occurs; counted once."""
    return ratings._grades


def release(ratings: Interactions) -> None:
    """Give back the memory of columns that are on disk, until they are read again; those in memory stay."""
    for _, column in ratings._columns():
        let_go(column)


def _of_whom(ratings: int, users: int, items: int) -> str:
    return f"{text.counted(ratings, 'rating')} of {text.counted(users, 'user')} and {text.counted(items, 'item')}"


def _picked(column: NDArray[Any], rows: Bool | Ints) -> NDArray[Any]:
    """Rows of a column, locked."""
    picked = frozen(column[rows], column.dtype.type)
    let_go(column)
    return picked


def _own(array: NDArray[Any]) -> NDArray[Any]:
    """A locked copy."""
    return frozen(array.copy(), array.dtype.type)


def repeated_pairs(count: int, user_id: object, item_id: object) -> InputError:
    """The error for pairs that occur twice, of which the first is named."""
    return InputError(
        text.counted(count, "repeated (user, item) pair"),
        found=[str(user_id), str(item_id)],
        expected="each pair once",
        hint="choose what they become: the filter duplicates(keep=latest), or sum or max; in Python "
        'ho.read(…, duplicates="latest")',
    )
