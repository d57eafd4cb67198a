"""What was run: three systems under five methodologies on two splits, and One-Plus-Random with fewer sampled items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.papers.rating_counts import RatingCounts, SplitSizes
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

SPLITS = ("D1", "D2")
METRICS = ("P@50", "Recall@50", "nDCG@50")
OTHER_CUTOFFS = tuple(f"{name}@{n}" for name in ("P", "Recall", "nDCG") for n in (5, 10))
SYSTEMS = {
    "UB50": "UserKNN(k=50, similarity=cosine, normalise=true, min_neighbours=2)",
    "IB": "ItemKNN(k=none, similarity=adjusted_cosine, normalise=true, min_neighbours=2)",
    "SVD50": "SVD(factors=50)",
}
"""As Mahout has the first two: means of ratings weighted by similarity, none of them of a single rating."""
READINGS = {
    "UB50 by Pearson": "UserKNN(k=50, similarity=pearson, normalise=true, min_neighbours=2)",
    "UB50 of single ratings": "UserKNN(k=50, similarity=cosine, normalise=true)",
}
"""Other readings of UB50, whose similarity the paper does not give."""
SAMPLED = (100, 300, 1000)
"""N of One-Plus-Random, of which the paper ran the last."""


@dataclass(frozen=True)
class Methodology:
    """Which items a user's list ranks, and what counts as relevant in it."""

    name: str
    target: str
    """How the text form of the target begins."""
    relevance: str = "threshold(tau=4)"


METHODOLOGIES = (
    Methodology("TR 3", "TestRatings", "threshold(tau=3)"),
    Methodology("TR 4", "TestRatings"),
    Methodology("TeI", "TestItems"),
    Methodology("TrI", "TrainingItems"),
    Methodology("AI", "AllItems"),
    Methodology("OPR", "OnePlusRandom", "threshold(tau=5)"),
)
BY_NAME = {methodology.name: methodology for methodology in METHODOLOGIES}
TEST_RATINGS = ("TR 3", "TR 4")
UNRATED_TOO = ("TeI", "TrI", "AI", "OPR")


def one_plus_random(sampled: int) -> str:
    """The methodology among so many sampled items: only items rated 5 get a list, whatever the study's rule."""
    return f"OnePlusRandom(nonrelevant={sampled}, relevance={BY_NAME['OPR'].relevance})"


def _study(split: str, systems: dict[str, str], targets: Sequence[str], few: Sequence[str], **more: object) -> RepeatedStudy:
    """Systems on one split: one pass over the fits; `few` are the targets of simulated data."""
    keys = {
        "split": split,
        "recommend": [{"name": name, "model": model} for name, model in systems.items()],
        "relevance": "threshold(4)",
        "target": list(targets),
        "ties": "trec",
        "undefined": "zero",
        "metrics": list(METRICS),
        "compare": "none",
        **more,
    }
    return RepeatedStudy(keys, simulated={"target": list(few)})


def study_of(split: str) -> RepeatedStudy:
    """All methodologies and readings on one split."""
    plain = ["TestRatings", "TestItems", "TrainingItems", "AllItems"]
    return _study(
        split,
        SYSTEMS | READINGS,
        [*plain, one_plus_random(1000)],
        [*plain, one_plus_random(40)],
        relevance=["threshold(3)", "threshold(4)"],
        undefined=["zero", "skip"],
        metrics=[*METRICS, *OTHER_CUTOFFS, "RMSE"],
        aggregate=["mean", "pooled"],
    )


COUNTS = RatingCounts(positive=5)
SIZES = SplitSizes(SPLITS)
ALL_METHODOLOGIES = StudyRuns({split: study_of(split) for split in SPLITS})
SAMPLES = StudyRuns(
    {
        split: _study(split, SYSTEMS, [one_plus_random(n) for n in SAMPLED], [one_plus_random(n) for n in (10, 20, 40)])
        for split in SPLITS
    }
)
