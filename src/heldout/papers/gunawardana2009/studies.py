"""What Gunawardana and Shani ran: predictions, lists of further items, and lists by profit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from heldout.papers.common_errors import CommonErrors
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import ClaimFinding, MeasuredTables, NamedWorks, Pick
from heldout.papers.rules import Part, ahead, all_of, middle, pick, plotted
from heldout.papers.study_runs import RepeatedStudy, StudyRuns
from heldout.words import exact_p

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


def value(system: str, metric: str, **where: object) -> Pick:
    """A system's value, of Figures 2 and 3 unless another study is named."""
    setting = {"study": "curves", "aggregate": "mean", **where}
    return pick("values", "value", system=system, metric=metric, **setting)


def rmse(system: str, study: str = "errors") -> Pick:
    """RMSE of a system over all ratings that it predicts; of `equations`, over all."""
    return value(system, "RMSE", study=study, aggregate="pooled")


def common_rmse(system: str) -> Pick:
    """RMSE of a system over the ratings that both predict."""
    return pick("common errors", "value", system=system)


def hlu(system: str, metric: str = HLU) -> Pick:
    """Half-life utility of a system, a ratio of sums over users."""
    return value(system, metric, aggregate="pooled")


def precision_recall(*systems: str) -> Callable[[MeasuredTables], tuple[Panel, ...]]:
    """Figures 2 and 3: precision against recall at each length."""

    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        series = []
        for system in systems:
            points = [[plotted(value(system, f"{m}@{n}")(measured)) for n in LENGTHS] for m in ("Recall", "P")]
            recall = tuple(float("nan") if value is None else value for value in points[0])
            series.append(PlotSeries(name=system, x=recall, y=tuple(points[1])))
        return (Panel(title="", x_label="recall", y_label="precision", series=tuple(series)),)

    return draw


DIRECTION: str = "the second half was added after the results were out"


def ahead_at(first: str, second: str, metrics: Sequence[str]) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether the first system is above the second by each metric."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        parts: list[Part] = []
        for metric in metrics:
            holds, words = ahead(value(first, metric), value(second, metric), measured)
            parts.append((holds, f"{metric} {words}"))
        return all_of(parts)

    return check


def significant(
    first: str, second: str, metrics: Sequence[str], level: float, **where: object
) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether by each metric the median p over splits is below a level and the first system the better for more users."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        holds, words = True, []
        for metric in metrics:
            rows = measured.rows("pairs", metric=metric, **{"study": "curves", "aggregate": "mean", **where})
            p = middle(rows["p"].to_list())
            sides = [1 if a == first else -1 for a in rows["a"]]
            lead = middle([s * (w - n) for s, w, n in zip(sides, rows["wins"], rows["losses"], strict=True)])
            holds &= p < level and lead > 0
            better = "" if lead > 0 else f" ({second} the better for more users)"
            words.append(f"{metric.partition('(')[0]}: {exact_p(p)}{better}")
        return ClaimFinding(holds, f"p by {', '.join(words)}")

    return check
