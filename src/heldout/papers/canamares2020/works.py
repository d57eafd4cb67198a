"""What Cañamares et al. ran: the starting configuration and what each figure changes in it.

The matrix factorisation of the tables is run three times: with the printed λ = 1 and α = 0.1, fitted to 1 as Hu et al.
(2008) have it and to the rating as RankSys does, and with λ = 10 and α = 1, which comes to the printed figures. Figures take
the last.
"""

from __future__ import annotations

from typing import Any

from heldout.papers.paper import NamedWorks
from heldout.papers.rating_counts import RatingCounts, SplitSizes
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

P: str = "P@10"
NDCG: str = "nDCG(gain=binary)@10"
MF = "WRMF(factors=50, l2=10, alpha=1, iterations=20, target=rating)"
PRINTED = {
    "MF printed, p = r": "WRMF(factors=50, l2=1, alpha=0.1, iterations=20, target=rating)",
    "MF printed, p = 1": "WRMF(factors=50, l2=1, alpha=0.1, iterations=20, target=one)",
}
"""The printed parameters, fitted to the rating and to 1."""
SEEDS = (1, 2, 3, 4, 5)
DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100)
POSITIONS = tuple(range(1, 11))
RATIOS = tuple(k / 10 for k in range(1, 10))
NEIGHBOURS = (1, 3, 10, 30, 100)
OVERLAPS = (1, 5, 10, 15, 20, 25, 30)
FALLBACKS = {
    "None": "none",
    "Random": "random",
    "Popularity": "popularity",
    "Average rating": "average_rating",
}
GAINS = ("exp2", "chapelle_scaled")
"""g2 as §4 prints it, and as it fits."""
BASE: dict[str, Any] = {
    "split": "ratio(train=0.5)",
    "users": "with_train",
    "fallback": "none",
    "relevance": "threshold(4)",
    "unrated": "zero",
    "undefined": "zero",
    "compare": {"tests": "t", "correction": "none"},
}
"""§4, A1 to D: what `heldout.study.published` lists."""


def systems(neighbours: int, *, printed: bool = False) -> list[dict[str, str]]:
    """kNN and MF; with `printed`, MF as it is printed too."""
    models = {"kNN": f"UserKNN(k={neighbours}, similarity=cosine)", "MF": MF, **(PRINTED if printed else {})}
    return [{"name": name, "model": model} for name, model in models.items()]


def start(neighbours: int = 100) -> RepeatedStudy:
    """The starting configuration on several splits: all that Tables 2 to 4 and Figures 5 and 6 need from one pass."""
    keys = BASE | {
        "recommend": systems(neighbours, printed=True),
        "target": ["AllItems", "TestRatings"],
        "metrics": [
            P,
            f"nDCG(gain=binary)@{list(DEPTHS)}",
            *(f"nDCG(gain={gain})@10" for gain in GAINS),
            *(f"RBP(phi=0.8, gain={gain})@10" for gain in ("binary", *GAINS)),
            "KendallTau",
            "RBO",
            "Unrated@10",
            "Predicted",
            f"FullPosition@{list(POSITIONS)}",
        ],
        "aggregate": ["mean", "mean(weight=test)", "mean(weight=relevant)", "gmean(0.01)"],
    }
    return RepeatedStudy(keys, SEEDS)


def starts(neighbours: int = 100) -> StudyRuns:
    """The starting configuration alone."""
    return StudyRuns({"start": start(neighbours)})


def ratios(neighbours: int = 100) -> StudyRuns:
    """Figures 2 to 4: nine split ratios on one split each, and the starting configuration for the p-values at 0.5."""
    keys = BASE | {
        "recommend": systems(neighbours),
        "target": ["AllItems", "TestRatings"],
        "metrics": [P, NDCG, "Unrated@10"],
    }
    studies = {f"{ratio:g}": RepeatedStudy(keys | {"split": f"ratio(train={ratio:g})"}) for ratio in RATIOS}
    return StudyRuns({**studies, "start": start(neighbours)})


def beyond_half() -> StudyRuns:
    """Figure 6, right: kNN of 100 neighbours and MF at a split ratio of 0.8, by depth."""
    keys = BASE | {
        "split": "ratio(train=0.8)",
        "recommend": systems(100),
        "target": "AllItems",
        "metrics": [f"nDCG(gain=binary)@{list(DEPTHS)}"],
    }
    return StudyRuns({"0.8": RepeatedStudy(keys)})


def fallbacks(*, half: bool) -> StudyRuns:
    """Figure 7: kNN of few neighbours, condensed lists, all users, and half of the ratings where `half`."""
    keys = BASE | {
        "filters": ["sample(ratings=0.5)"] if half else [],
        "users": "all",
        "fallback": list(FALLBACKS.values()),
        "target": "TestRatings",
        "recommend": [{"name": f"k = {k}", "model": f"UserKNN(k={k}, similarity=cosine)"} for k in NEIGHBOURS],
        "metrics": [NDCG, P],
    }
    return StudyRuns({"fallbacks": RepeatedStudy(keys)})


def overlaps() -> StudyRuns:
    """Figure 8: kNN of 10 neighbours who share at least so many items, and MF; full, forgiven and common users."""
    models = {f"overlap {n}": f"UserKNN(k=10, similarity=binary_cosine, min_overlap={n})" for n in OVERLAPS} | {"MF": MF}
    keys = BASE | {
        "target": "AllItems",
        "recommend": [{"name": name, "model": model} for name, model in models.items()],
        "metrics": [P],
        "coverage": ["zero", "forgive", "intersection"],
        "compare": "none",
    }
    return StudyRuns({"overlaps": RepeatedStudy(keys)})


COUNTS = RatingCounts(positive=4)
SIZES = NamedWorks(
    {"": COUNTS} | {f"{seed}": SplitSizes(("ratio(train=0.1)", "ratio(train=0.5)"), seed=seed) for seed in SEEDS}
)
"""Ratings of users, and of the parts of splits at 0.1 and 0.5."""
