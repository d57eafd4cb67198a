"""§6.1: sizes of the data sets."""

from __future__ import annotations

from dataclasses import replace

from heldout.papers.data_sets import BOOKCROSSING, KOSARAK, NETFLIX, RETAIL, TA_FENG, NeededData
from heldout.papers.gunawardana2009 import causes
from heldout.papers.paper import Expectation, Experiment, MeasuredTables, Pick
from heldout.papers.rating_counts import RatingCounts

EACH = "ratings of a user"
PUBLISHED: tuple[tuple[NeededData, int, int, int], ...] = (
    (BOOKCROSSING, 105_283, 340_556, 10),
    (RETAIL, 88_162, 16_470, 10),
    (KOSARAK, 990_002, 41_270, 8),
    (TA_FENG, 32_266, 23_812, 23),
)
"""Users, baskets or sessions, items, and how many items each has on average."""
NETFLIX_WHOLE = (480_000, 17_700)
"""Users and films as printed, rounded to thousands and hundreds."""
NETFLIX_ACTIVE = (21_179, 17_415, 117)
"""Of users who rated more than 100 films."""


def _size(row: str, nearest: int) -> Pick:
    """A size, rounded to the nearest so many."""

    def number(measured: MeasuredTables) -> list[float]:
        data = measured.tables["data"].row(0, named=True)
        size = data["ratings"] / data["users"] if row == EACH else data[row]
        return [float(nearest * round(size / nearest))]

    return number


def _expected(row: str, published: int, *, nearest: int = 1, why: tuple[str, ...] = ()) -> Expectation:
    rounded = "" if nearest == 1 else f", to the nearest {nearest:,}"
    return Expectation(
        row=f"{row}{rounded}",
        column="",
        published=published,
        pick=_size(row, nearest),
        kind="count",
        decimals=0,
        standing="size",
        causes=why,
    )


def _sizes(data: NeededData, *rows: Expectation) -> Experiment:
    return Experiment(
        key=f"sizes-{data.key}",
        title="Size of the data set",
        did="Counts users, baskets or sessions, and items (§6.1).",
        data=data,
        minutes=3 if data is NETFLIX else 0.1,
        work=RatingCounts(positive=1, duplicates="max"),
        expectations=rows,
    )


def _published(data: NeededData, users: int, items: int, each: int) -> Experiment:
    zeros = (causes.WITH_ZEROS,) if data is BOOKCROSSING else ()
    rows = {"users": users, "items": items, EACH: each}
    return _sizes(data, *(_expected(row, number, why=zeros) for row, number in rows.items()))


SIZES: tuple[Experiment, ...] = (
    *(_published(*row) for row in PUBLISHED),
    _sizes(
        NETFLIX,
        *(
            _expected(row, number, nearest=nearest)
            for row, number, nearest in zip(("users", "items"), NETFLIX_WHOLE, (1000, 100), strict=True)
        ),
    ),
    replace(
        _sizes(NETFLIX, *(_expected(row, n) for row, n in zip(("users", "items", EACH), NETFLIX_ACTIVE, strict=True))),
        key=f"sizes-{NETFLIX.key}-active",
        did="Counts the users who rated more than 100 films, and the films that they rated (§6.1.1).",
        work=RatingCounts(positive=1, filters=("min_ratings(user=101)",)),
    ),
)
