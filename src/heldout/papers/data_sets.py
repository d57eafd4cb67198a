"""The data sets of the papers: names and layout of the files below the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SIMULATED = "simulated"
"""Stands for a folder of data: simulated ratings instead of the paper's."""


@dataclass(frozen=True)
class PublishedFolds:
    """A split that was published with a data set: the test ratings of each fold; the others are for training."""

    tests: tuple[str, ...]
    """Paths below the data folder, one for each fold."""
    stand_in: str
    """The text form of the split of simulated data."""


@dataclass(frozen=True, kw_only=True)
class NeededData:
    """A published data set: the files that it is read from, and what stands in for it where data are simulated."""

    key: str
    title: str
    files: tuple[str, ...]
    """Paths below the data folder, all needed; a pattern such as `netflix/*.txt` needs one file."""
    layout: str
    """What a line of them holds."""
    reader: str
    """The key of the reader."""
    path: str
    """What the reader is given, below the data folder."""
    stand_in: str
    """The text form of the simulated data."""
    whole: bool = True
    """Whether the files are the whole of what the paper used; a part of it is named as such in `title`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Further parameters of the reader."""
    splits: Mapping[str, PublishedFolds] = field(default_factory=dict)
    """Splits by the name that studies give as their `split`."""

    @property
    def all_files(self) -> tuple[str, ...]:
        """The files, and those of the splits."""
        return (*self.files, *(name for folds in self.splits.values() for name in folds.tests))

    def missing(self, folder: Path) -> tuple[str, ...]:
        """The files that the folder does not have."""
        return tuple(name for name in self.all_files if not any(folder.glob(name)))


SMALL = "simulate(users=150, items=110, ratings=5500, seed=1)"
"""Stands in for ratings of films: 5 levels, popular and unpopular items, tastes."""
MOVIELENS_1M = NeededData(
    key="ml-1m",
    title="MovieLens 1M",
    files=("ml-1m/ratings.dat",),
    layout="UserID::MovieID::Rating::Timestamp",
    reader="movielens",
    path="ml-1m",
    stand_in=SMALL,
)
NETFLIX = NeededData(
    key="netflix",
    title="Netflix Prize",
    files=("netflix/*.txt",),
    layout="mv_0000001.txt and so on, or combined_data_1.txt to combined_data_4.txt: `MovieID:`, then lines of "
    "`CustomerID,Rating,Date`",
    reader="netflix",
    path="netflix",
    stand_in="simulate(users=150, items=110, ratings=5500, seed=2)",
)
MOVIELENS_100K = NeededData(
    key="ml-100k",
    title="MovieLens 100K",
    files=("ml-100k/u.data",),
    layout="user, item, rating and time, separated by tabs, as in u1.test to u5.test, ua.test and ub.test",
    reader="movielens",
    path="ml-100k/u.data",
    stand_in="simulate(users=80, items=70, ratings=2400, seed=3)",
    splits={
        "D1": PublishedFolds(tuple(f"ml-100k/u{k}.test" for k in range(1, 6)), "folds(n=2)"),
        "D2": PublishedFolds(("ml-100k/ua.test", "ml-100k/ub.test"), "leave_out(l=6)"),
    },
)
