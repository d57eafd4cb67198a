"""Figures 1 to 6 of Cañamares et al.: rules on small figures made up for them, and all of them on simulated data."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from tests.papers.declared import experiments
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.canamares2020.figures import COUNTED
from heldout.papers.canamares2020.paper import PAPER
from heldout.papers.canamares2020.works import DEPTHS, NDCG, POSITIONS, RATIOS, P
from heldout.papers.paper import Experiment, MeasuredTables

BY_KEY = experiments(PAPER)


def _by_ratio(metric: str, target: str, knn: list[float], mf: list[float], p: list[float]) -> MeasuredTables:
    place = {"seed": 1, "metric": metric, "target": target, "aggregate": "mean"}
    values = [
        {**place, "study": f"{ratio:g}", "system": system, "value": numbers[k]}
        for system, numbers in (("kNN", knn), ("MF", mf))
        for k, ratio in enumerate(RATIOS)
    ]
    pairs = [{**place, "study": f"{ratio:g}", "a": "kNN", "b": "MF", "p": p[k]} for k, ratio in enumerate(RATIOS)]
    return MeasuredTables({"values": pl.DataFrame(values), "pairs": pl.DataFrame(pairs)})


def _with_precision(measured: MeasuredTables, knn: list[float], mf: list[float]) -> MeasuredTables:
    """What was measured on full lists, and Prec@10 of both systems by split ratio."""
    precise = _by_ratio(P, "AllItems", knn, mf, [0.0] * len(RATIOS))
    return MeasuredTables({name: pl.concat([measured.tables[name], precise.tables[name]]) for name in ("values", "pairs")})


def _by_depth(
    metric: str, depths: tuple[int, ...], knn: Callable[[int], float], mf: Callable[[int], float], study: str = "start"
) -> MeasuredTables:
    rows = [
        {
            "study": study,
            "seed": 1,
            "metric": metric.format(d),
            "target": "AllItems",
            "aggregate": "mean",
            "system": s,
            "value": f(d),
        }
        for d in depths
        for s, f in (("kNN", knn), ("MF", mf))
    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def _verdicts(experiment: Experiment, measured: MeasuredTables) -> list[str]:
    return [claim_row(claim, measured, ()).verdict for claim in experiment.claims]


def test_a_crossing_at_the_middle_holds_and_another_does_not() -> None:
    falls, rises = [0.5 - abs(r - 0.5) - 0.1 * r for r in RATIOS], [0.5 - abs(r - 0.5) - 0.05 for r in RATIOS]
    tiny = [0.0] * 4 + [0.9] + [0.0] * 4
    measured = _by_ratio(NDCG, "AllItems", falls, rises, tiny)
    assert _verdicts(BY_KEY["fig-2"], _with_precision(measured, falls, rises)) == ["holds"] * 4
    assert _verdicts(BY_KEY["fig-2"], _with_precision(measured, rises, falls)) == [*["holds"] * 3, "does not hold here"]
    turned = _by_ratio(NDCG, "AllItems", rises, falls, [0.002] * 9)
    assert _verdicts(BY_KEY["fig-2"], turned) == [
        "does not hold here", "holds", "does not hold here", "cannot be tested"
    ]  # fmt: skip
    condensed = _by_ratio(NDCG, "TestRatings", list(RATIOS), [2 * r - 0.5 for r in RATIOS], tiny)
    assert _verdicts(BY_KEY["fig-4"], condensed) == ["holds", "holds", "holds", "cannot be tested"]
    assert _verdicts(BY_KEY["fig-4-netflix"], condensed) == ["holds", "does not hold here", "holds", "cannot be tested"]
    flat = _by_ratio(NDCG, "TestRatings", [0.5] * 9, [0.4] * 9, tiny)
    assert _verdicts(BY_KEY["fig-4-netflix"], flat) == ["does not hold here", "holds", "holds", "cannot be tested"]


def test_shares_of_unrated_items() -> None:
    tiny = [0.0] * 9
    mostly = _by_ratio("Unrated@10", "AllItems", [0.7, *[0.5] * 7, 0.9], [0.8, *[0.6] * 7, 0.9], tiny)
    assert _verdicts(BY_KEY["fig-3"], mostly) == ["holds"] * 3
    seldom = _by_ratio("Unrated@10", "AllItems", [0.6, *[0.49] * 7, 0.9], [0.8, *[0.6] * 7, 0.9], tiny)
    assert _verdicts(BY_KEY["fig-3"], seldom) == ["does not hold here"] * 2 + ["holds"]


def test_positions_and_depths() -> None:
    deep = _by_depth("FullPosition@{}", POSITIONS, lambda d: 3.0 * d**1.3, lambda d: 3.1 * d**1.4)
    assert _verdicts(BY_KEY["fig-5"], deep) == ["does not hold here", "holds", "holds"]
    assert _verdicts(BY_KEY["fig-5-netflix"], deep) == ["holds"]
    third = _by_depth("FullPosition@{}", POSITIONS, lambda d: 3.0 * d, lambda d: 3.1 * d)
    assert _verdicts(BY_KEY["fig-5"], third) == ["holds", "does not hold here", "holds"]
    crossing = _by_depth("nDCG(gain=binary)@{}", DEPTHS, lambda d: 0.5 - d / 1000, lambda d: 0.495)
    assert _verdicts(BY_KEY["fig-6"], crossing) == ["holds"]
    assert _verdicts(BY_KEY["fig-6-netflix"], crossing) == ["does not hold here"]
    above = _by_depth("nDCG(gain=binary)@{}", DEPTHS, lambda d: 0.4, lambda d: 0.5)
    assert _verdicts(BY_KEY["fig-6-netflix"], above) == ["holds"]
    crossing = _by_depth("nDCG(gain=binary)@{}", DEPTHS, lambda d: 0.5 - d / 1000, lambda d: 0.495, "0.8")
    assert _verdicts(BY_KEY["fig-6-right-netflix"], crossing) == ["holds"]
    above = _by_depth("nDCG(gain=binary)@{}", DEPTHS, lambda d: 0.4, lambda d: 0.5, "0.8")
    assert _verdicts(BY_KEY["fig-6-right-netflix"], above) == ["does not hold here"]


def test_shares_of_users_and_items_are_rounded_to_five_per_cent() -> None:
    def measured(users: int, items: int) -> MeasuredTables:
        counts = [{"ratings": [50] * n + [500] * (100 - n)} for n in (users, items)]
        return MeasuredTables({"users": pl.DataFrame(counts[0]), "items": pl.DataFrame(counts[1])})

    assert _verdicts(BY_KEY["fig-1"], measured(52, 43)) == ["holds", "holds", "does not hold here"]
    assert _verdicts(BY_KEY["fig-1"], measured(53, 42)) == ["does not hold here"] * 3
    assert _verdicts(BY_KEY["fig-1-netflix"], measured(53, 52)) == ["holds"]  # few have 500 ratings, and most 50
    (panel,) = BY_KEY["fig-1"].draw(measured(52, 43))  # type: ignore[misc]
    assert panel.series[0].y[COUNTED.index(50)] == 0.52 and panel.series[1].y[-1] == 1.0


def test_what_was_not_measured_leaves_claims_open() -> None:
    place = ("seed", "study", "metric", "target", "aggregate")
    columns = {"values": (*place, "system", "value"), "pairs": (*place, "a", "b", "p")}
    nothing = MeasuredTables({name: pl.DataFrame({column: [] for column in of}) for name, of in columns.items()})
    for key in ("fig-2", "fig-3", "fig-4", "fig-5", "fig-6", "fig-6-right"):
        assert set(_verdicts(BY_KEY[key], nothing)) == {"cannot be tested"}, key


def test_figures_are_drawn_from_simulated_data() -> None:
    record = paper_findings(PAPER, ["fig-1", "fig-2", "fig-6-right"], bench())
    assert all(len(e.panels) == 1 and len(e.panels[0].series) == 2 for e in record.experiments)
    assert all(v is not None for e in record.experiments for series in e.panels[0].series for v in series.y)
