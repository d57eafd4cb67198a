"""Ratings per user and per item of a data set, and sizes of the parts of splits.

Tables: `users` (ratings, positive), `items` (the same, and the mean rating), `data` (users, items, ratings, density) and
`sizes` (users, items and density, a row per split, fold and part).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import polars as pl

import heldout as ho
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables


@dataclass(frozen=True, kw_only=True)
class RatingTotals:
    """How many ratings users gave and items received."""

    users: int
    items: int
    ratings: int
    density: float
    per_user: tuple[int, ...]
    positive_per_user: tuple[int, ...]
    per_item: tuple[int, ...]
    positive_per_item: tuple[int, ...]
    mean_per_item: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class RatingCounts:
    """Reads a data set and counts; nothing is split or fitted."""

    positive: float
    """The rating from which on one is positive."""
    duplicates: Literal["latest", "sum", "max", "error"] = "error"
    """What repeated pairs become."""
    filters: tuple[str, ...] = ()
    """Text forms of what leaves out ratings before they are counted."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Count, or take the counts from the folder of the bench."""
        source = bench.source(data)

        def compute() -> list[RatingTotals]:
            ratings = source.read().interactions(self.duplicates)
            for text in () if bench.simulated else self.filters:
                ratings = ho.make("filter", text).apply(ratings, seed=1)
            positive = ratings.value >= self.positive
            return [
                RatingTotals(
                    users=ratings.n_users,
                    items=ratings.n_items,
                    ratings=len(ratings),
                    density=len(ratings) / (ratings.n_users * ratings.n_items),
                    per_user=tuple(ratings.user_counts.tolist()),
                    positive_per_user=tuple(np.bincount(ratings.user[positive], minlength=ratings.n_users).tolist()),
                    per_item=tuple(ratings.item_counts.tolist()),
                    mean_per_item=tuple(
                        (np.bincount(ratings.item, ratings.value, ratings.n_items) / ratings.item_counts).tolist()
                    ),
                    positive_per_item=tuple(np.bincount(ratings.item[positive], minlength=ratings.n_items).tolist()),
                )
            ]

        depends_on = [source.source_digest(), self.positive, self.duplicates, *self.filters]
        [counts] = bench.kept("counts", depends_on, RatingTotals, compute)
        sizes = {name: value for name, value in asdict(counts).items() if name in ("users", "items", "ratings", "density")}
        return MeasuredTables(
            {
                "data": pl.DataFrame([sizes]),
                "users": pl.DataFrame({"ratings": counts.per_user, "positive": counts.positive_per_user}),
                "items": pl.DataFrame(
                    {"ratings": counts.per_item, "positive": counts.positive_per_item, "mean": counts.mean_per_item}
                ),
            }
        )


@dataclass(frozen=True, kw_only=True)
class PartSizes:
    """One part of a fold; users and items are those with a rating in it."""

    fold: int
    part: Literal["train", "test"]
    ratings: int
    users: int
    items: int
    density: float


@dataclass(frozen=True)
class SplitSizes:
    """Splits a data set and counts; nothing is fitted."""

    splits: tuple[str, ...]
    """Text forms, or names of published splits."""
    seed: int = 1

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Count, or take the counts from the folder of the bench."""
        rows = [{"split": split, **asdict(part)} for split in self.splits for part in self._parts(bench, data, split)]
        return MeasuredTables({"sizes": pl.DataFrame(rows)})

    def _parts(self, bench: PaperBench, data: NeededData, split: str) -> Iterator[PartSizes]:
        source, splitter = bench.source(data), bench.split(data, split)

        def compute() -> list[PartSizes]:
            folds = ho.split(source.read().interactions("error"), splitter, seed=self.seed)
            return [_sizes(fold.fold, name, part) for fold in folds for name, part in _parts_of(fold)]

        depends_on = [source.source_digest(), splitter.full_text, splitter.source_digest(), self.seed]
        yield from bench.kept("split sizes", depends_on, PartSizes, compute)


def _parts_of(fold: ho.Split) -> tuple[tuple[Literal["train", "test"], ho.Interactions], ...]:
    return ("train", fold.train), ("test", fold.test)


def _sizes(fold: int, name: Literal["train", "test"], part: ho.Interactions) -> PartSizes:
    users, items = part.active_users, part.active_items
    density = len(part) / max(1, users * items)
    return PartSizes(fold=fold, part=name, ratings=len(part), users=users, items=items, density=density)
