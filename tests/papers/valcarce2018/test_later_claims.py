"""Further sentences of the paper, by figures made up for them."""

from __future__ import annotations

from itertools import combinations

import polars as pl

from heldout.papers.paper import MeasuredTables
from heldout.papers.reproduce import judged
from heldout.papers.valcarce2018.later_claims import AP_FIRST, DEEP_AGREE, SOME_DIFFER
from heldout.papers.valcarce2018.metric_claims import DEPTHS, METRICS


def _verdicts(deep: float, rr: float, bpref: float) -> list[str]:
    """τ is `deep` between 30 and 100, `rr` between RR and P, 0.95 else; bpref has this mean τ and AP 0.9."""
    pairs = [
        {"between": "depths", "of": metric, "first": str(a), "second": str(b), "tau": _tau((a, b), deep)}
        for metric in METRICS
        for a, b in combinations(DEPTHS, 2)
    ]
    pairs += [
        {"between": "metrics", "of": "@100", "first": a, "second": b, "tau": rr if (a, b) == ("P", "RR") else 0.95}
        for a, b in combinations(METRICS, 2)
    ]
    robust = {"AP": 0.9, "bpref": bpref}
    rows = [{"name": metric, "depth": 100, "missing_tau": robust.get(metric, 0.8)} for metric in METRICS]
    sweep = {"sweep": ["missing ratings"], "metric": ["P@100"], "share": [0.5], "tau": [0.9]}
    measured = MeasuredTables(
        {"metrics": pl.DataFrame(rows), "sweeps": pl.DataFrame(sweep), "agreement": pl.DataFrame(pairs)}
    )
    return [judged(claim, measured, ()).verdict for claim in (DEEP_AGREE, SOME_DIFFER, AP_FIRST)]


def _tau(depths: tuple[int, int], deep: float) -> float:
    return deep if depths == (30, 100) else 0.5 if min(depths) <= 20 else 0.95


def test_deep_cut_offs_agree_some_metrics_do_not_and_ap_is_robust() -> None:
    assert _verdicts(0.9, 0.7, 0.85) == ["holds"] * 3
    assert _verdicts(0.89, 0.8, 0.95) == ["does not hold here"] * 3
