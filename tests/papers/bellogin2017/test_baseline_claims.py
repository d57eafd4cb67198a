"""Sentences on popularity, random recommendation and the data, by figures made up for them."""

from __future__ import annotations

import polars as pl
from tests.papers.bellogin2017.made_up import tables
from tests.papers.declared import claims

from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.paper import MeasuredTables


def _verdicts(narrowed: float, expected: float, uniform: float) -> list[str]:
    """The width between bounds ends at `narrowed` where ratings are removed, at 0.5 with larger lists, and begins at 1."""
    ratios = {"P1R": 1.5, "U1R": uniform, "UAR": 5.0}
    values = pl.DataFrame(
        [
            {"protocol": protocol, "metric": "P@10", "system": "Popularity", "value": 0.1, "times_random": ratio}
            for protocol, ratio in ratios.items()
        ]
    )
    ends = {"removed": narrowed, "lists": 0.5}
    sweeps = pl.DataFrame(
        [
            {"sweep": sweep, "protocol": "1R", "system": system, "x": x, "value": 0.1, "lower": 0.0, "upper": width}
            for sweep, end in ends.items()
            for system in ("pLSA", "kNN")
            for x, width in ((0.0, 1.0), (1.0, end))
        ]
    )
    row = {"protocol": "AR", "system": "Popularity", "expected": expected, "low": 0.07, "high": 0.09}
    measured = MeasuredTables({**tables(values).tables, "sweeps": sweeps, "expected": pl.DataFrame([row])})
    return [_verdict(words, measured) for words in ("bounds-close-faster", "popularity-expected", "more-effective-in-1r")]


def _verdict(words: str, measured: MeasuredTables) -> str:
    return claim_row(claims(PAPER)[words], measured, ()).verdict


def test_bounds_close_faster_equation_3_meets_what_is_measured_and_1r_is_helped_more() -> None:
    assert _verdicts(0.1, 0.08, 2.0) == ["holds"] * 3
    assert _verdicts(0.6, 0.04, 6.0) == ["does not hold here"] * 3


def test_random_falls_as_there_are_more_items_and_liked_items_are_rated_ones() -> None:
    def verdicts(whole: float, liked: list[int]) -> list[str]:
        values = [
            {"protocol": protocol, "metric": "P@10", "system": "Random", "value": value, "low": 0.0039, "high": 0.0041}
            for protocol, value in (("AI-UAR", whole), ("UAR", 0.004))
        ]
        items = pl.DataFrame({"ratings": [4, 3, 2, 1], "liked": liked})
        data = pl.DataFrame([{"users": 3, "zeta": 2}])
        measured = MeasuredTables({**tables(pl.DataFrame(values)).tables, "items": items, "data": data})
        return [_verdict(words, measured) for words in ("reduced-by-all-items", "liked-as-rated")]

    assert verdicts(0.002, [3, 2, 1, 0]) == ["holds"] * 2
    assert verdicts(0.003, [0, 1, 2, 3]) == ["does not hold here"] * 2


def test_popularity_gains_by_skew_in_ar_too_and_few_items_have_most_liked_ratings() -> None:
    def verdicts(flat: float, steep: float, liked: list[int]) -> list[str]:
        points = {"Popularity": (flat, steep), "Random": (0.01, 0.01)}
        sweeps = [
            {"sweep": "skew", "protocol": "AR", "system": system, "x": x, "value": value}
            for system, values in points.items()
            for x, value in zip((0.0, 2.0), values, strict=True)
        ]
        items = pl.DataFrame({"ratings": liked, "liked": liked})
        values = pl.DataFrame([{"protocol": "AR", "metric": "P@10", "system": "MF"}])
        measured = MeasuredTables({**tables(values).tables, "sweeps": pl.DataFrame(sweeps), "items": items})
        return [_verdict(words, measured) for words in ("same-skew-in-ar", "few-items-have-most")]

    assert verdicts(0.009, 0.2, [100, *[5] * 19, 80]) == ["holds", "holds"]
    assert verdicts(0.011, 0.2, [10] * 21) == verdicts(0.009, 0.005, [50, *[10] * 20]) == ["does not hold here"] * 2
