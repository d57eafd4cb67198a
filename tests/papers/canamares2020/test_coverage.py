"""Figures 7 and 8 of Cañamares et al.: rules on figures made up for them, and both on simulated data."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import experiments
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.canamares2020.paper import PAPER
from heldout.papers.canamares2020.works import FALLBACKS, NDCG, NEIGHBOURS, OVERLAPS, SEEDS, P
from heldout.papers.paper import Experiment, MeasuredTables

BY_KEY = experiments(PAPER)


def _verdicts(experiment: Experiment, measured: MeasuredTables) -> list[str]:
    return [claim_row(claim, measured, ()).verdict for claim in experiment.claims]


def _fallbacks(curves: dict[str, list[float]]) -> MeasuredTables:
    rows = [
        {"seed": 1, "system": f"k = {k}", "metric": m, "fallback": fallback, "value": values[j], "coverage_at_n": 0.1 * j}
        for m in (NDCG, P)
        for fallback, values in curves.items()
        for j, k in enumerate(NEIGHBOURS)
    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def _overlaps(full: list[float], forgiven: list[float], covered: list[float], mf: float) -> MeasuredTables:
    rows = [
        {
            "seed": 1,
            "system": f"overlap {n}",
            "metric": P,
            "coverage": rule,
            "value": numbers[k],
            "user_coverage": covered[k],
        }
        for rule, numbers in (("zero", full), ("forgive", forgiven))
        for k, n in enumerate(OVERLAPS)
    ]
    rows += [
        {"seed": 1, "system": "MF", "metric": P, "coverage": rule, "value": value, "user_coverage": 1.0}
        for rule, value in (("zero", mf), ("intersection", mf + 0.1))
    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def test_what_the_paper_draws_holds() -> None:
    rising, flatter, bent = [0.1, 0.2, 0.3, 0.4, 0.5], [0.3, 0.35, 0.4, 0.45, 0.5], [0.6, 0.4, 0.45, 0.47, 0.5]
    curves = dict(zip(FALLBACKS.values(), (rising, flatter, bent, bent), strict=True))
    assert _verdicts(BY_KEY["fig-7"], _fallbacks(curves)) == ["holds"] * 6
    other = dict(zip(FALLBACKS.values(), (bent, rising, rising, flatter), strict=True))
    assert _verdicts(BY_KEY["fig-7"], _fallbacks(other)) == [
        "does not hold here", "holds", *["does not hold here"] * 4,
    ]  # fmt: skip


def test_forgiving_turns_the_winner_round() -> None:
    n = len(OVERLAPS)
    full, covered = [0.40 - 0.01 * k for k in range(n)], [1 - 0.05 * k for k in range(n)]
    forgiven = [0.41 + 0.01 * k for k in range(n)]  # 0.43 at an overlap of 10
    assert _verdicts(BY_KEY["fig-8"], _overlaps(full, forgiven, covered, 0.435)) == ["holds"] * 4
    assert _verdicts(BY_KEY["fig-8-netflix"], _overlaps(full, forgiven, covered, 0.435))[1] == "does not hold here"
    assert _verdicts(BY_KEY["fig-8"], _overlaps(forgiven, full, covered, 0.3)) == [
        "does not hold here", "does not hold here", "does not hold here", "holds",
    ]  # fmt: skip


def test_a_system_that_serves_nobody_leaves_its_claims_open_and_the_figure_drawn() -> None:
    record = paper_findings(PAPER, ["fig-7", "fig-8"], bench())
    seventh, eighth = record.experiments
    assert len(seventh.panels[0].series) == len(NEIGHBOURS) + 1 and not seventh.failures
    assert "overlap 30 failed" in eighth.failures[0]
    assert [claim.verdict for claim in eighth.claims[:3]] == ["cannot be tested"] * 3
    assert "overlap 30 failed" in eighth.claims[0].figures
    assert eighth.panels[0].series[0].y[-1] is None


def test_users_without_training_ratings_must_be_some_at_a_tenth_and_none_at_half() -> None:
    def measured(tenth: int, half: int) -> MeasuredTables:
        sizes = pl.DataFrame(
            [{"split": f"ratio(train={r:g})", "part": "train", "users": 60 - n} for r, n in ((0.1, tenth), (0.5, half))]
        )
        return MeasuredTables({"data": pl.DataFrame([{"users": 60}]), **{f"{seed} sizes": sizes for seed in SEEDS}})

    assert _verdicts(BY_KEY["untrained-users"], measured(3, 0)) == ["holds"] * 2
    assert _verdicts(BY_KEY["untrained-users"], measured(3, 1)) == ["does not hold here"] * 2
    assert _verdicts(BY_KEY["untrained-users"], measured(0, 0)) == ["holds", "does not hold here"]
    [record] = paper_findings(PAPER, ["untrained-users"], bench()).experiments
    assert {claim.verdict for claim in record.claims} <= {"holds", "does not hold here"}


def test_almost_all_items_must_have_a_score() -> None:
    def measured(knn: float) -> MeasuredTables:
        place = {"study": "start", "seed": 1, "metric": "Predicted", "target": "AllItems", "aggregate": "mean"}
        return MeasuredTables(
            {"values": pl.DataFrame([{**place, "system": s, "value": x} for s, x in (("kNN", knn), ("MF", 1.0))])}
        )

    assert _verdicts(BY_KEY["scored-items"], measured(0.96)) == ["holds"]
    assert _verdicts(BY_KEY["scored-items"], measured(0.95)) == ["does not hold here"]
    [record] = paper_findings(PAPER, ["scored-items"], bench()).experiments
    assert record.claims[0].verdict in ("holds", "does not hold here")
