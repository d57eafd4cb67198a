"""What is said of Last.fm, by figures made up for it."""

from __future__ import annotations

import polars as pl
from tests.papers.bellogin2017.made_up import tables
from tests.papers.declared import experiments

from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.bellogin2017.works import SYSTEMS
from heldout.papers.paper import MeasuredTables

LASTFM_CLAIMS = experiments(PAPER)["fig-2-lastfm-1k"].claims


def _verdicts(popular: float, uniform: float) -> dict[str, str]:
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
    return {claim.words: claim_row(claim, measured, ()).verdict for claim in LASTFM_CLAIMS}


def _of(verdicts: dict[str, str], *words: str) -> list[str]:
    """The verdicts on the sentences with these words."""
    return [next(verdict for sentence, verdict in verdicts.items() if part in sentence) for part in words]


IN_AR = ("best approach in Last.fm with AR", "drops to random in U1R")
FOR_MISSING = ("(AR option)”: bpref", "(AR option)”: infAP", "top system in Last.fm according to bpref", "In AR on Last.fm")


def test_popularity_leads_in_ar_and_is_level_with_random_in_u1r() -> None:
    assert _of(_verdicts(0.35, 0.0105), *IN_AR) == ["holds", "holds"]
    assert _of(_verdicts(0.15, 0.0125), *IN_AR) == ["does not hold here", "does not hold here"]


def test_metrics_for_missing_ratings_put_popularity_and_random_first() -> None:
    assert _of(_verdicts(0.35, 0.0105), *FOR_MISSING) == ["holds"] * 4
    assert _of(_verdicts(-1.5, 0.0125), *FOR_MISSING) == [
        "does not hold here", "holds", "does not hold here", "does not hold here",
    ]  # fmt: skip


def test_ar_and_1r_disagree_precision_is_linear_and_popularity_second_in_1r() -> None:
    def verdicts(single: tuple[float, ...], middle: float, liked: list[int]) -> list[str]:
        in_order = (0.5, 0.4, 0.3, 0.2, 0.1)
        values = [
            {"protocol": protocol, "metric": metric, "system": system, "value": value}
            for protocol, metric, of_systems in (
                ("AR", "P@10", in_order), ("1R", "P@10", single), ("1R stratified recall", "its own", single)
            )
            for system, value in zip(SYSTEMS, of_systems, strict=True)
        ]  # fmt: skip
        sweeps = [
            {"sweep": "removed", "protocol": "AR", "system": system, "x": x, "value": value}
            for system in SYSTEMS
            for x, value in ((0.0, 0.3), (0.4, middle), (0.8, 0.1))
        ]
        items = pl.DataFrame({"ratings": liked, "liked": liked})
        made_up = {**tables(pl.DataFrame(values)).tables, "sweeps": pl.DataFrame(sweeps), "items": items}
        measured = MeasuredTables(made_up)
        judgements = {claim.words: claim_row(claim, measured, ()).verdict for claim in LASTFM_CLAIMS}
        return _of(judgements, "disagreeing comparisons", "similar effect", "a few popular items", "recall in 1R")

    assert verdicts((0.5, 0.4, 0.2, 0.3, 0.1), 0.2, [100, *[1] * 19]) == ["holds"] * 4
    assert verdicts((0.5, 0.4, 0.3, 0.2, 0.1), 0.3, [1] * 20) == [*["does not hold here"] * 3, "holds"]
    assert verdicts((0.5, 0.2, 0.4, 0.3, 0.1), 0.2, [1] * 20)[3] == "does not hold here"
