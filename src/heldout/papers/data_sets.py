"""The data sets of the papers: names and layout of the files below the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

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
    """The name of the reader in `heldout.readers`."""
    path: str
    """What the reader is given, below the data folder."""
    stand_in: str
    """The text form of the simulated data."""
    profits: bool = False
    """Whether every row has a utility, the profit of a purchase; simulated rows are given one."""
    options: Mapping[str, Any] = field(default_factory=dict)
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
MANY_ITEMS = "simulate(users=60, items=240, ratings=3000, seed=4)"
"""The same, with lists of 100 items for every user."""
MOVIELENS_1M = NeededData(
    key="ml-1m",
    title="MovieLens 1M",
    files=("ml-1m/ratings.dat",),
    layout="UserID::MovieID::Rating::Timestamp",
    reader="MovieLens",
    path="ml-1m",
    stand_in=SMALL,
)
NETFLIX = NeededData(
    key="netflix",
    title="Netflix Prize",
    files=("netflix/*.txt",),
    layout="mv_0000001.txt and so on, or combined_data_1.txt to combined_data_4.txt: MovieID:, then lines of "
    "CustomerID,Rating,Date",
    reader="Netflix",
    path="netflix",
    stand_in="simulate(users=150, items=110, ratings=5500, seed=2)",
)
MOVIELENS_100K = NeededData(
    key="ml-100k",
    title="MovieLens 100K",
    files=("ml-100k/u.data",),
    layout="user, item, rating and time, separated by tabs, as in u1.test to u5.test, ua.test and ub.test",
    reader="MovieLens",
    path="ml-100k/u.data",
    stand_in="simulate(users=80, items=70, ratings=2400, seed=3)",
    splits={
        "D1": PublishedFolds(tuple(f"ml-100k/u{k}.test" for k in range(1, 6)), "folds(n=2)"),
        "D2": PublishedFolds(("ml-100k/ua.test", "ml-100k/ub.test"), "leave_out(l=6)"),
    },
)
BOOKCROSSING = NeededData(
    key="book-crossing",
    title="BookCrossing, explicit ratings",
    files=("book-crossing/BX-Book-Ratings.csv*",),
    layout='"User-ID";"ISBN";"Book-Rating", Latin-1, plain or compressed',
    reader="BookCrossing",
    path="book-crossing",
    stand_in=SMALL,
    options={"rows": "explicit"},
)
BOOKCROSSING_ALL = replace(
    BOOKCROSSING, key="book-crossing-all", title="BookCrossing with its zeros", options={"rows": "all"}
)
BASKETS = "one basket a line, numbers of items separated by blanks"
RETAIL = NeededData(
    key="retail",
    title="Belgian retailer",
    files=("fimi/retail.dat",),
    layout=BASKETS,
    reader="Fimi",
    path="fimi/retail.dat",
    stand_in="simulate(users=150, items=110, ratings=3000, seed=3)",
)
KOSARAK = replace(RETAIL, key="kosarak", title="News click stream", files=("fimi/kosarak.dat",), path="fimi/kosarak.dat")
KOSARAK_PART = replace(
    RETAIL,
    key="kosarak-part",
    title="News click stream, the first 36,682 sessions",
    files=("fimi/kosarak-first-36682.dat",),
    path="fimi/kosarak-first-36682.dat",
)
TA_FENG = NeededData(
    key="ta-feng",
    title="Ta-Feng",
    files=("ta-feng/ta_feng_all_months_merged.csv*",),
    layout="TRANSACTION_DT,CUSTOMER_ID,AGE_GROUP,PIN_CODE,PRODUCT_SUBCLASS,PRODUCT_ID,AMOUNT,ASSET,SALES_PRICE with a "
    "header; plain or compressed",
    reader="TaFeng",
    path="ta-feng",
    stand_in="simulate(users=150, items=110, ratings=3000, seed=4)",
    profits=True,
)
VALCARCE_SPLIT = NeededData(
    key="ml-1m-valcarce",
    title="MovieLens 1M, the authors’ split",
    files=("ml-1m/ratings.dat",),
    layout="UserID::MovieID::Rating::Timestamp; the test ratings as the authors publish them: user, 0, item, rating",
    reader="MovieLens",
    path="ml-1m",
    stand_in=MANY_ITEMS,
    splits={
        "authors' split": PublishedFolds(("valcarce-2018/qrels-ml-1M.txt.gz",), "ratio(train=0.8, by=user)"),
    },
)
LIBRARYTHING = NeededData(
    key="librarything",
    title="LibraryThing",
    files=("librarything/ratings.csv",),
    layout="user,item,rating with a heading",
    reader="Csv",
    path="librarything/ratings.csv",
    stand_in=MANY_ITEMS,
)
BEERADVOCATE = NeededData(
    key="beeradvocate",
    title="BeerAdvocate",
    files=("beeradvocate/ratings.csv",),
    layout="user,item,rating with a heading",
    reader="Csv",
    path="beeradvocate/ratings.csv",
    stand_in=MANY_ITEMS,
)
LASTFM_1K = NeededData(
    key="lastfm-1k",
    title="Last.fm, 1K users",
    files=("lastfm-1k/userid-timestamp-artid-artname-traid-traname.tsv*",),
    layout="user, time, artist id, artist, track id and track, separated by tabs, one play a line; plain or compressed",
    reader="Csv",
    path="lastfm-1k/userid-timestamp-artid-artname-traid-traname.tsv*",
    stand_in=SMALL,
    options={"user": "1", "time": "2", "item": "4", "value": None, "separator": "\t", "header": False},
)
TREC = NeededData(
    key="trec",
    title="TREC relevance judgements",
    files=("trec/qrels.txt*",),
    layout="topic, 0, document and judgement, separated by blanks: the lists of all tracks one after the other; plain or "
    "compressed",
    reader="TrecQrels",
    path="trec/qrels.txt*",
    stand_in=SMALL,
)
DATA_SETS = {
    data.key: data
    for data in (
        MOVIELENS_1M,
        NETFLIX,
        MOVIELENS_100K,
        BOOKCROSSING,
        BOOKCROSSING_ALL,
        RETAIL,
        KOSARAK,
        KOSARAK_PART,
        TA_FENG,
        VALCARCE_SPLIT,
        LIBRARYTHING,
        BEERADVOCATE,
        LASTFM_1K,
        TREC,
    )
}
"""By key."""
