"""Figure 5, right: how positive ratings, and relevant documents, gather on few items of other data."""

from __future__ import annotations

import numpy as np

from heldout.papers.data_sets import NETFLIX, TREC
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables, Pick
from heldout.papers.rating_counts import RatingCounts
from heldout.tables.arrays import Int64

NETFLIX_LIKED = 0.201
"""The share of users who like the top item."""
TREC_NUMBERS: dict[str, float] = {
    "queries with a relevant document": 703,
    "relevant documents": 129_277,
    "positive judgements": 149_811,
    "share of documents relevant to one query": 0.872,
    "positive judgements of the top document": 25,
    "the same, as a share of the queries": 0.036,
}
TENTH = 10


def _positive(measured: MeasuredTables, of: str) -> Int64:
    """Positive ratings of every user or item that has any."""
    counts: Int64 = measured.tables[of]["positive"].to_numpy()
    return counts[counts > 0]


def _top_share(measured: MeasuredTables) -> list[float]:
    return [float(_positive(measured, "items").max() / measured.tables["data"]["users"][0])]


def _trec(name: str) -> Pick:
    def number(measured: MeasuredTables) -> list[float]:
        queries, documents = (_positive(measured, of) for of in ("users", "items"))
        numbers = (len(queries), len(documents), documents.sum(), np.mean(documents == 1), documents.max())
        return [float(dict(zip(TREC_NUMBERS, (*numbers, documents.max() / len(queries)), strict=True))[name])]

    return number


def _head(measured: MeasuredTables) -> float:
    """The share of the positive ratings that the tenth of the items with the most of them has."""
    counts = np.sort(_positive(measured, "items"))[::-1]
    return float(counts[: len(counts) // TENTH].sum() / counts.sum())


def _steep(measured: MeasuredTables) -> ClaimFinding:
    share = _head(measured)
    return ClaimFinding(share > 0.5, f"{share:.1%}")


def _flat(measured: MeasuredTables) -> ClaimFinding:
    share = _head(measured)
    return ClaimFinding(share < 0.5, f"{share:.1%}")


def _expected(row: str, published: float, pick: Pick) -> Expectation:
    decimals = 0 if published >= 1 else 3
    return Expectation(
        row=row,
        column="",
        published=published,
        pick=pick,
        kind="count",
        decimals=decimals,
        standing="own" if decimals else "size",
    )


LIKED_ITEMS: tuple[Experiment, ...] = (
    Experiment(
        key="fig-5-netflix",
        title="Popularity of what users like",
        did="Counts the ratings of 5 of each film (Figure 5, right).",
        data=NETFLIX,
        minutes=3,
        work=RatingCounts(positive=5),
        expectations=(_expected("share of users who like the top item", NETFLIX_LIKED, _top_share),),
        claims=(
            Claim(
                words="“a few popular items accumulate most of the preference data”",
                section="§5.2",
                rule="the tenth of the films with the most ratings of 5 has more than half of them",
                check=_steep,
            ),
        ),
    ),
    Experiment(
        key="fig-5-trec",
        title="Documents that are relevant to many queries",
        did="Counts the positive judgements of each document in 30 tracks of TREC (Figure 5, right).",
        data=TREC,
        minutes=0.2,
        work=RatingCounts(positive=1, duplicates="max"),
        expectations=tuple(_expected(name, number, _trec(name)) for name, number in TREC_NUMBERS.items()),
        claims=(
            Claim(
                words="“The TREC distribution is considerably flatter, not far from uniform”",
                section="§5.2",
                rule="the tenth of the documents with the most positive judgements has less than half of them",
                check=_flat,
            ),
        ),
        notes=("The paper does not say which 30 tracks it took from trec.nist.gov/data/qrels_eng.",),
    ),
)
