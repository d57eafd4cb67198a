"""§6.1: sizes of the data sets."""

from __future__ import annotations

from heldout.papers.data_sets import BOOKCROSSING, KOSARAK, RETAIL, TA_FENG, NeededData
from heldout.papers.gunawardana2009 import causes
from heldout.papers.paper import Expectation, Experiment
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.rules import pick

PUBLISHED: tuple[tuple[NeededData, int, int], ...] = (
    (BOOKCROSSING, 105_283, 340_556),
    (RETAIL, 88_162, 16_470),
    (KOSARAK, 990_002, 41_270),
    (TA_FENG, 32_266, 23_812),
)
"""Users, baskets or sessions, and items."""


def _sizes(data: NeededData, users: int, items: int) -> Experiment:
    return Experiment(
        key=f"sizes-{data.key}",
        title="Size of the data set",
        did="Counts users, baskets or sessions, and items (§6.1).",
        data=data,
        minutes=0.1,
        work=RatingCounts(positive=1, duplicates="max"),
        expectations=tuple(
            Expectation(
                row=row,
                column="",
                published=n,
                pick=pick("data", row),
                kind="count",
                decimals=0,
                standing="size",
                causes=(causes.WITH_ZEROS,) if data is BOOKCROSSING else (),
            )
            for row, n in (("users", users), ("items", items))
        ),
    )


SIZES: tuple[Experiment, ...] = tuple(_sizes(*row) for row in PUBLISHED)
