"""What is said of Last.fm, by figures made up for it."""

from __future__ import annotations

import polars as pl
from tests.papers.bellogin2017.made_up import tables

from heldout.papers.bellogin2017.bias_figures import SYSTEMS
from heldout.papers.bellogin2017.lastfm import LASTFM_CLAIMS
from heldout.papers.reproduce import judged


def _verdicts(popular: float, uniform: float) -> list[str]:
    """Popularity has these values in AR and, with an interval of 0.002, in U1R; a random ranking has 0.01 there."""
    values = {"pLSA": 0.2, "Popularity": popular, "MF": 0.1, "kNN": 0.1, "Random": 0.01}
    rows = [{"protocol": "AR", "system": name, "value": values[name], "low": 0.0, "high": 1.0} for name in SYSTEMS]
    rows += [
        {"protocol": "U1R", "system": "Popularity", "value": uniform, "low": uniform - 0.001, "high": uniform + 0.001},
        {"protocol": "U1R", "system": "Random", "value": 0.01, "low": 0.0, "high": 1.0},
    ]
    own = {
        "bpref": (2, 5, 1, 0, 5 - popular),
        "infAP": (4, 5, 1, 0, 10 * popular - 1),
        "stratified recall": (4, 5, 1, 0, 20 * popular),
    }
    rows = [{**row, "metric": "P@10"} for row in rows]
    rows += [
        {"protocol": name, "metric": f"by {name}", "system": system, "value": float(value), "low": 0.0, "high": 9.0}
        for name, values in own.items()
        for system, value in zip(SYSTEMS, values, strict=True)
    ]
    measured = tables(pl.DataFrame(rows))
    return [judged(claim, measured, ()).verdict for claim in LASTFM_CLAIMS]


def test_popularity_leads_in_ar_and_is_level_with_random_in_u1r() -> None:
    assert _verdicts(0.35, 0.0105)[:2] == ["holds", "holds"]
    assert _verdicts(0.15, 0.0125)[:2] == ["does not hold here", "does not hold here"]


def test_metrics_for_missing_ratings_put_popularity_and_random_first() -> None:
    assert _verdicts(0.35, 0.0105)[2:] == ["holds"] * 4
    assert _verdicts(-1.5, 0.0125)[2:] == ["does not hold here", "holds", "does not hold here", "does not hold here"]
