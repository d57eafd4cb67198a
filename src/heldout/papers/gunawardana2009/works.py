"""What Gunawardana and Shani ran: predictions, lists of further items, and lists by profit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heldout.papers.common_errors import CommonErrors
from heldout.papers.paper import NamedWorks
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

LENGTHS = (1, 3, 5, 10, 25, 50)
CURVES = [f"P@{list(LENGTHS)}", f"Recall@{list(LENGTHS)}"]
HLU: str = "HLU(utility=column)"
OTHER_HALF_LIVES = (2, 3, 10, 20)
SEEDS = (1, 2, 3, 4, 5)
BASE: dict[str, Any] = {
    "split": "test_users(2000, then=hide(random))",
    "target": "AllItems",
    "compare": {"tests": "sign", "correction": "none"},
}
"""§6.3.1: 2000 test users, a random number of test items of each, a sign test; what `heldout.study.published` lists."""
FEWER = {"split": "test_users(80, then=hide(random))"}
"""Simulated data have fewer users, and these fewer ratings."""
PREDICTING = {"Pearson": "PearsonUserKNN(k=25)", "Cosine": "UserKNN(k=25, similarity=cosine, normalise=true)"}
AS_PRINTED = {"Pearson": "PearsonUserKNN(k=25, unrated=zero)", "Cosine": "CosineUserKNN(k=25, unrated=zero)"}
"""As the equations stand: sums and κ over all 25 neighbours, and an empty sum where none of them rated the item."""
USAGE = {"Pearson": "PearsonUserKNN(k=25, values=binary)", "Cosine": "CosineUserKNN(k=25)"}
PROFIT = {"Item-Item": "ItemItem", "Exp. Profit": "ExpectedUtility"}


def _systems(models: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "model": model} for name, model in models.items()]


def errors(filters: Sequence[str] = (), **further: RepeatedStudy) -> NamedWorks:
    """RMSE of Pearson and cosine: of what each predicts, of what both do, and as the equations stand."""

    def study(models: dict[str, str]) -> RepeatedStudy:
        keys = BASE | {
            "filters": list(filters),
            "recommend": _systems(models),
            "target": "TestRatings",
            "relevance": "threshold(4)",
            "metrics": ["RMSE"],
            "aggregate": "pooled",
        }
        return RepeatedStudy(keys, SEEDS, block=128, simulated=FEWER | {"filters": []})

    each = StudyRuns({**further, "errors": study(PREDICTING), "equations": study(AS_PRINTED)})
    return NamedWorks({"": each, "common": CommonErrors(study(PREDICTING))})


def _curves(models: dict[str, str], seeds: tuple[int, ...] = (1,), **keys: Any) -> RepeatedStudy:
    """Precision and recall at each length."""
    return RepeatedStudy(
        BASE | {"recommend": _systems(models), "metrics": CURVES, **keys}, seeds, block=512, simulated=FEWER
    )


def half_life(alpha: int) -> str:
    """Half-life utility with another half-life than 5."""
    return f"HLU(half_life={alpha}, utility=column)"


def used(splits: int) -> StudyRuns:
    """Figure 2: further items of baskets or sessions, on so many splits."""
    return StudyRuns({"curves": _curves(USAGE, SEEDS[:splits], filters=["duplicates(keep=max)"], relevance="threshold(1)")})


def counts(positive: float, filters: Sequence[str] = ()) -> RatingCounts:
    """Sizes of a data set; of baskets and purchases a repeated pair counts once."""
    return RatingCounts(positive=positive, duplicates="max", filters=tuple(filters))


FILMS = RatingCounts(positive=4)
BOUGHT = StudyRuns(
    {
        "curves": _curves(
            PROFIT,
            SEEDS,
            filters=["duplicates(keep=sum)"],
            relevance="threshold(0)",
            metrics=[*CURVES, HLU, *(half_life(alpha) for alpha in OTHER_HALF_LIVES)],
            aggregate=["mean", "pooled"],
        )
    }
)
ONE_DATA_SET = errors(
    curves=_curves({"Pearson": PREDICTING["Pearson"], "Cosine": USAGE["Cosine"]}, relevance="threshold(1)")
)
