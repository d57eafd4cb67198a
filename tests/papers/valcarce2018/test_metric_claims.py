"""Rules of what the paper says of metrics, on figures made up for them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import polars as pl
from tests.papers.declared import claims, experiments

from heldout.metrics.accuracy.reciprocal_rank import RR
from heldout.papers.analysis import claim_row
from heldout.papers.paper import MeasuredTables
from heldout.papers.valcarce2018.paper import PAPER
from heldout.papers.valcarce2018.rules import fine, short
from heldout.papers.valcarce2018.works import DEPTHS, METRICS
from heldout.review.lint.rules.fragile_metrics import FragileMetrics

POWER = {row.column: row.published for row in experiments(PAPER)["table-3"].expectations}
ALIKE = claims(PAPER)["all-alike"]
EARLIER = (
    *("most-correlations-high", "lowest-correlation", "ndcg-at-two-cut-offs", "largest-discrepancy-at-5"),
    *("deeper-is-robust-to-sparsity", "deeper-is-robust-to-popularity", "deeper-ndcg-discriminates"),
    *("deeper-discriminates", "mrr-differs", "map-like-ndcg", "half-is-enough", "precision-and-ndcg-robust-to-sparsity"),
    *("poor-when-sparse", "precision-best-mrr-worst", "least-robust", "most-robust", "most-power", "low-power"),
)
"""Claims on all figures; the tables of the trial below are made for them."""
ROBUST = {"P": 0.99, "nDCG": 0.98, "AP": 0.97, "Recall": 0.96, "infAP": 0.95, "RR": 0.94, "bpref": 0.93}
POPULAR = {"P": 0.9, "nDCG": 0.8, "AP": 0.7, "Recall": 0.7, "infAP": 0.7, "RR": 0.3, "bpref": 0.6}


def _trial(dp: dict[str, float], *, upside_down: bool = False) -> MeasuredTables:
    """Deeper is better, unless it is all `upside_down`."""

    def depth_share(depth: int) -> float:
        return 1 - depth / 200 if upside_down else 0.5 + depth / 200

    rows = [
        {
            "name": metric,
            "depth": depth,
            "dp": dp[metric] / depth_share(depth),
            "missing_tau": (1.5 - ROBUST[metric] if upside_down else ROBUST[metric]) * depth_share(depth),
            "popularity_tau": (1 - POPULAR[metric] if upside_down else POPULAR[metric]) * depth_share(depth),
        }
        for metric in METRICS
        for depth in DEPTHS
    ]
    half = {"sweep": "missing ratings", "share": 0.5, "tau": 0.5 if upside_down else 0.95}
    kept = [{**half, "metric": f"{metric}@100"} for metric in METRICS]
    pairs = []
    for metric in METRICS:
        for a, b in combinations(DEPTHS, 2):
            low = metric in ("P", "Recall") and (a, b) == (5, 100)
            tau = 0.76 if low else 0.91 if a == 5 else 0.95
            if upside_down:
                tau = 0.5 if b == 100 else 0.6
            pairs.append({"between": "depths", "of": metric, "first": str(a), "second": str(b), "tau": tau})
    for a, b in combinations(METRICS, 2):
        tau = (0.9 if "RR" in (a, b) else 0.5) if upside_down else 0.7 if "RR" in (a, b) else 0.92
        pairs.append({"between": "metrics", "of": "@100", "first": a, "second": b, "tau": tau})
    return MeasuredTables({"metrics": pl.DataFrame(rows), "sweeps": pl.DataFrame(kept), "agreement": pl.DataFrame(pairs)})


def _verdicts(measured: MeasuredTables) -> dict[str, str]:
    return {claim.words: claim_row(claim, measured, ()).verdict for claim in map(claims(PAPER).get, EARLIER) if claim}


def test_what_the_text_says_holds_for_such_figures() -> None:
    verdicts = _verdicts(_trial(POWER))
    # bpref is least robust to missing ratings and RR to popular items: the text cannot have both.
    assert {words for words, verdict in verdicts.items() if verdict != "holds"} == {"“MRR is the least robust metric”"}


def test_every_rule_can_fail() -> None:
    dp = {metric: 20 - value for metric, value in POWER.items()}
    assert set(_verdicts(_trial(dp, upside_down=True)).values()) == {"does not hold here"}


def test_metrics_are_alike_if_every_two_are() -> None:
    assert claim_row(ALIKE, _trial(POWER), ()).figures == "the least is .70, P and RR"
    alike = _trial(POWER)
    close = alike.tables["agreement"].with_columns(pl.col("tau").clip(lower_bound=0.92))
    assert claim_row(ALIKE, MeasuredTables({**alike.tables, "agreement": close}), ()).verdict == "holds"


def test_a_metric_that_was_not_measured_leaves_claims_open() -> None:
    trial = _trial(POWER)
    without = {"metrics": trial.tables["metrics"].filter(pl.col("name") != "RR"), "sweeps": trial.tables["sweeps"].head(0)}
    verdicts = _verdicts(MeasuredTables({**trial.tables, **without}))
    assert verdicts["“precision is the most robust metric”"] == "cannot be tested"
    assert verdicts["“MAP is strongly correlated with nDCG”"] == "holds"


def test_numbers_below_zero_have_a_minus_and_nothing_is_below_zero_by_rounding() -> None:
    assert [short(-0.532), short(-0.004), short(-1.26), short(0.85)] == ["−.53", ".00", "−1.3", ".85"]
    assert [fine(-0.0321), fine(-0.0001), fine(1.0)] == ["−.032", ".000", "1.000"]


def test_published_power_is_over_pairs_of_systems_in_one_order() -> None:
    """Table 3 prints 2.6 for P and 1.4 for nDCG on MovieLens 1M, over both orders of each pair."""
    assert (POWER["P"], POWER["nDCG"], POWER["RR"]) == (1.3, 0.7, 7.75)
    tables = [experiment for key, experiment in experiments(PAPER).items() if key.startswith("table-3")]
    assert [[row.column for row in table.expectations] for table in tables] == [list(METRICS)] * 3


def test_cards_agree_with_the_page_on_what_is_less_robust_than_rr() -> None:
    page = (Path(__file__).parents[3] / "docs/metric-quality-movielens.md").read_text()
    names, kept = (
        next(line for line in page.splitlines() if line.startswith(start)).strip("|").split("|")[1:]
        for start in ("| | P |", "| τ, mean over shares of ratings kept")
    )
    robustness = {name.strip(): float(value) for name, value in zip(names, kept, strict=True)}
    below = [name for name, value in robustness.items() if value < min(robustness[m] for m in ("RR", "bpref", "infAP"))]
    assert below == ["AP"]
    assert "but AP is less robust to missing ratings" in " ".join((RR.__doc__ or "").split())
    assert "AP was less robust to missing ratings than all three" in " ".join(FragileMetrics.explanation.split())
