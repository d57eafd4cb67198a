"""How likely a rating was to be seen: by popularity, and from a column."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.lists import judged_list, knowing, value
from tests.metrics.propensities import with_propensities
from tests.refusals import refused

from heldout.catalogue import classes, make, parameters
from heldout.catalogue.component import type_of
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.metrics.metric import Metric
from heldout.tables import Background, Judged, Side, Vocabulary
from heldout.testing.lists import judged_lists, random_lists, values_of

P = "propensity=column(p)"


# relevant items 0 and 2 at ranks 1 and 3 with propensities 1 and 1/2; two more, unlisted, with 1
LIST = with_propensities(judged_list([5, None, 4], (4, 5)), [1, 1, 0.5])


def test_propensities_by_popularity() -> None:
    """γ = 1: p is proportional to the number of ratings: 4 for item 0, 1 for the others; a factor cancels."""
    judged = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 4, 1))
    assert value("Recall(snips, propensity=popularity(1))@1", judged) == pytest.approx((1 / 4) / (1 / 4 + 1 + 1))
    many = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 400, 100))
    for metric in ("Recall(snips)@1", "DCG(snips)", "AUC(snips)"):
        assert value(metric, many) == pytest.approx(value(metric, judged))


def snips_variants() -> list[Metric]:
    """Every metric of the catalogue that has an estimate by snips, with the gains and cut-offs that it takes."""
    metrics: list[Metric] = []
    for cls in classes("metric"):
        by_name = {field.name: field for field in parameters(cls)}
        if "estimate" not in by_name or "snips" not in get_args(type_of(cls, "estimate")):
            continue
        gains = [{"gain": g} for g in ("linear", "binary", "exp2")] if "gain" in by_name else [{}]
        depths = [{"n": None}, {"n": 1}, {"n": 7}] if "n" in by_name else [{}]
        propensity = make("propensity", "column(p, scale=proportional)")
        metrics += [cls(estimate="snips", propensity=propensity, **g, **n) for g in gains for n in depths]  # type: ignore
    return metrics


@pytest.mark.parametrize("metric", snips_variants(), ids=str)
@given(seed=st.integers(0, 20), factor=st.floats(1e-6, 1e6))
def test_no_snips_estimate_changes_when_propensities_are_multiplied(metric: Metric, seed: int, factor: float) -> None:
    def scaled(by: float) -> Judged:
        judged = judged_lists(*random_lists(seed, users=20), catalogue=57)
        return with_propensities(judged, (by * (1 + np.arange(57) % 5)).tolist())

    plain, many = values_of(metric, scaled(1.0)), values_of(metric, scaled(factor))
    np.testing.assert_allclose(many, plain, rtol=1e-9, atol=1e-12)


def test_there_are_snips_estimates_of_these_metrics() -> None:
    assert {metric.key for metric in snips_variants()} == {"AUC", "DCG", "Recall"}


def test_average_precision_needs_absolute_propensities() -> None:
    """Two hits with p and 2p at ranks 1 and 2: with p = 1/2 the double sum is 2 · 1 + 1 · (1 + 2)/2, with 1/4 it is
    4 · 1 + 2 · (1 + 4)/2, so that the ratios 3.5/3 and 9/6 differ."""
    for p, expected in ((0.5, 3.5 / 3), (0.25, 9 / 6)):
        judged = with_propensities(judged_list([5, 5]), [p, 2 * p])
        assert value(f"AP(ips, {P})", judged) == pytest.approx(expected)
    for relative in ("popularity", "column(p, scale=proportional)"):
        with pytest.raises(SpecError, match=r"AP\(ips\) needs absolute propensities, and .* is only proportional"):
            make("metric", f"AP(ips, propensity={relative})")
    with pytest.raises(SpecError, match=r"must be one of plain, ips, found snips; write AP\(ips, propensity=column"):
        make("metric", "AP(snips)@10")


def test_impossible_propensities_are_refused() -> None:
    with pytest.raises(InputError, match=r"the propensity of item 2 is 1\.5, expected above 0 and at most 1"):
        value(f"P(ips, {P})@5", with_propensities(LIST, [1, 1, 1.5]))
    with pytest.raises(InputError, match="the propensity of item 0 is 0, expected above 0"):
        value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [0]))
    assert value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [1, 1, 1.5])) > 0


def of_pairs(rows: list[tuple[int, int, float]]) -> Judged:
    """LIST, whose user is 0, with propensities of pairs of a user and an item."""
    users, items, p = zip(*rows, strict=True)
    side = Side.of(pl.DataFrame({"user_id": users, "item_id": items, "p": p}), "item_id", user_name="user_id")
    known = replace(LIST.relevance.background, side=side, users=Vocabulary.numbered(2))  # type: ignore[type-var]
    return replace(LIST, relevance=replace(LIST.relevance, background=known, _memo={}), _memo={})


def test_propensities_may_differ_between_users() -> None:
    """Hits 0 and 2 have 1/4 and 1/2 for user 0; what user 1 would have does not matter."""
    rated = LIST.relevance.item.tolist()
    assert rated[:2] == [0, 2] and len(rated) == 4
    rows = [(0, 0, 0.25), (0, 2, 0.5), (1, 0, 1.0), (1, 2, 0.1), *((0, i, 1.0) for i in rated[2:])]
    assert value(f"P(ips, {P})@5", of_pairs(rows)) == pytest.approx((4 + 2) / 5)
    assert value(f"Recall(snips, {P})@1", of_pairs(rows)) == pytest.approx(4 / (4 + 2 + 1 + 1))
    with pytest.raises(InputError, match="the propensity of item 2 for user 0 is nan, expected above 0 and at most 1"):
        value(f"P(ips, {P})@5", of_pairs([row for row in rows if row[:2] != (0, 2)]))
    with refused(InputError, found=["0", "0"], expected="one row for each pair"):
        of_pairs([*rows, (0, 0, 0.3)])
    with refused(InputError, found="one row for each user and item", expected="one row for each item"):
        side = of_pairs(rows).relevance.background.side  # type: ignore[union-attr]
        side.features("p", Vocabulary.numbered(57))  # type: ignore[union-attr]


def test_popularity_needs_training_ratings() -> None:
    bare = replace(
        LIST, relevance=replace(LIST.relevance, background=Background(items=Vocabulary.numbered(57)), _memo={}), _memo={}
    )
    with pytest.raises(NotApplicableError, match="needs the training ratings to tell how popular items are"):
        value("Recall(snips)@5", bare)
