"""What Gunawardana and Shani ran: predictions, lists of further items, and lists by profit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heldout.papers.paper import Pick
from heldout.papers.rules import pick
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

LENGTHS = (1, 3, 5, 10, 25, 50)
CURVES = [f"P@{list(LENGTHS)}", f"Recall@{list(LENGTHS)}"]
HLU: str = "HLU(utility=column)"
BASE: dict[str, Any] = {
    "split": "test_users(2000, then=hide(random))",
    "target": "AllItems",
    "compare": {"tests": "sign", "correction": "none"},
}
"""§6.3.1: 2000 test users, a random number of test items of each, a sign test; what `heldout.study.published` lists."""
FEWER = {"split": "test_users(80, then=hide(random))"}
"""Simulated data have fewer users, and these fewer ratings."""
PREDICTING = {"Pearson": "PearsonUserKNN(k=25)", "Cosine": "UserKNN(k=25, similarity=cosine, normalise=true)"}
USAGE = {"Pearson": "PearsonUserKNN(k=25, values=binary)", "Cosine": "CosineUserKNN(k=25)"}
PROFIT = {"Item-Item": "ItemItem", "Exp. Profit": "ExpectedUtility"}


def _systems(models: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "model": model} for name, model in models.items()]


def errors(filters: Sequence[str] = ()) -> StudyRuns:
    """RMSE of Pearson and cosine over the test ratings."""
    keys = BASE | {
        "filters": list(filters),
        "recommend": _systems(PREDICTING),
        "target": "TestRatings",
        "relevance": "threshold(4)",
        "metrics": ["RMSE"],
        "aggregate": "pooled",
    }
    return StudyRuns({"errors": RepeatedStudy(keys, (1, 2, 3), block=128, simulated=FEWER | {"filters": []})})


def _curves(models: dict[str, str], seeds: tuple[int, ...] = (1,), **keys: Any) -> RepeatedStudy:
    """Precision and recall at each length."""
    return RepeatedStudy(
        BASE | {"recommend": _systems(models), "metrics": CURVES, **keys}, seeds, block=512, simulated=FEWER
    )


USED = StudyRuns({"curves": _curves(USAGE, filters=["duplicates(keep=max)"], relevance="threshold(1)")})
BOUGHT = StudyRuns(
    {
        "curves": _curves(
            PROFIT,
            (1, 2, 3),
            filters=["duplicates(keep=sum)"],
            relevance="threshold(0)",
            metrics=[*CURVES, HLU],
            aggregate=["mean", "pooled"],
        )
    }
)
ONE_DATA_SET = StudyRuns(
    {
        "curves": _curves({"Pearson": PREDICTING["Pearson"], "Cosine": USAGE["Cosine"]}, relevance="threshold(1)"),
        **errors().studies,
    }
)


def value(system: str, metric: str, **where: object) -> Pick:
    """A system's value, of Figures 2 and 3 unless another study is named."""
    setting = {"study": "curves", "aggregate": "mean", **where}
    return pick("values", "value", system=system, metric=metric, **setting)


def rmse(system: str) -> Pick:
    """RMSE of a system over all ratings that it predicts."""
    return value(system, "RMSE", study="errors", aggregate="pooled")


def hlu(system: str) -> Pick:
    """Half-life utility of a system, a ratio of sums over users."""
    return value(system, HLU, aggregate="pooled")
