"""Further sentences of the paper, by figures made up for them."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from tests.papers.declared import claims, experiments

from heldout.papers.analysis import claim_row
from heldout.papers.paper import Claim, MeasuredTables
from heldout.papers.valcarce2018.paper import PAPER
from heldout.papers.valcarce2018.works import DEPTHS, METRICS

CLAIMS = claims(PAPER)


def _of(*keys: str) -> list[Claim]:
    return [CLAIMS[key] for key in keys]


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
    return [
        claim_row(claim, measured, ()).verdict for claim in _of("deep-cut-offs-agree", "some-differ", "map-before-estimates")
    ]


def _tau(depths: tuple[int, int], deep: float) -> float:
    return deep if depths == (30, 100) else 0.5 if min(depths) <= 20 else 0.95


def test_deep_cut_offs_agree_some_metrics_do_not_and_ap_is_robust() -> None:
    assert _verdicts(0.9, 0.7, 0.85) == ["holds"] * 3
    assert _verdicts(0.89, 0.8, 0.95) == ["does not hold here"] * 3


def _trial(*, better: bool) -> MeasuredTables:
    """Figures like those of the text, or their opposite."""

    def robust(depth: int) -> float:
        return 0.5 + depth / 250 if better else 1 - depth / 250

    dp = dict(zip(METRICS, (1.9, 8.3, 10.7, 4.4, 5.8, 12.7, 4.8) if better else (9, 7, 2.8, 9, 15.5, 1, 1), strict=True))
    rows = [
        {"name": metric, "depth": depth, "dp": dp[metric], "missing_tau": robust(depth), "popularity_tau": robust(depth)}
        for metric in METRICS
        for depth in DEPTHS
    ]
    pairs = [
        {"between": "depths", "of": metric, "first": str(a), "second": str(b), "tau": 0.95 if better else 0.9}
        for metric in METRICS
        for a, b in combinations(DEPTHS, 2)
    ]
    low = {"bpref", "RR"} if better else {"P", "nDCG"}
    pairs += [
        {"between": "metrics", "of": "@100", "first": a, "second": b}
        | {"tau": (0.3 if "bpref" in (a, b) and better else 0.5) if {a, b} & low else 0.85}
        for a, b in combinations(METRICS, 2)
    ]
    sweep = [
        {"sweep": "missing ratings", "metric": "P@100", "share": 0.5, "tau": 0.9},
        {"sweep": "popularity", "metric": "P@100", "share": 0.8, "tau": -0.1 if better else 0.0},
    ]
    return MeasuredTables({"metrics": pl.DataFrame(rows), "sweeps": pl.DataFrame(sweep), "agreement": pl.DataFrame(pairs)})


FURTHER = (
    *("almost-always-above-0.9", "robust-beyond-50-to-sparsity", "robust-beyond-50-to-popularity", "others-rise"),
    *("rest-agree", "great-difference", "erratic", "negative-correlations", "bpref-differs", "bpref-unlike-map"),
)


@pytest.mark.parametrize("claim", _of(*FURTHER), ids=lambda claim: claim.key)
def test_every_further_rule_can_hold_and_fail(claim: Claim) -> None:
    assert claim_row(claim, _trial(better=True), ()).verdict == "holds"
    assert claim_row(claim, _trial(better=False), ()).verdict == "does not hold here"


def test_erratic_is_said_of_the_published_powers() -> None:
    for suffix, verdict in (("", "does not hold here"), ("-librarything", "holds"), ("-beeradvocate", "holds")):
        published = experiments(PAPER)[f"table-3{suffix}"].expectations
        rows = pl.DataFrame([{"name": row.column, "depth": 100, "dp": row.published} for row in published])
        measured = MeasuredTables({**_trial(better=True).tables, "metrics": rows})
        assert claim_row(CLAIMS["erratic"], measured, ()).verdict == verdict
        assert claim_row(CLAIMS["great-difference"], measured, ()).verdict == "holds"


def test_ndcg_is_moderate_between_others_and_precision_is_first() -> None:
    def verdicts(taus: tuple[float, ...]) -> list[str]:
        rows = [
            {"name": metric, "depth": 100, "missing_tau": tau, "popularity_tau": tau}
            for metric, tau in zip(METRICS, taus, strict=True)
        ]
        measured = MeasuredTables({**_trial(better=True).tables, "metrics": pl.DataFrame(rows)})
        return [
            claim_row(claim, measured, ()).verdict
            for claim in _of("moderate-to-popularity", "precision-most-robust-to-sparsity")
        ]

    assert verdicts((0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)) == ["holds"] * 2
    assert verdicts((0.8, 0.7, 0.6, 0.9, 0.5, 0.4, 0.3)) == ["does not hold here"] * 2
    assert verdicts((0.8, 0.7, 0.6, 0.1, 0.9, 0.4, 0.3)) == ["does not hold here"] * 2
