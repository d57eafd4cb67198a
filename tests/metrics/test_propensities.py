"""Inverse propensities: by hand, unbiased in simulation, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from math import log2
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
from heldout.metrics.judge import judge_rankings
from heldout.metrics.metric import Metric
from heldout.tables import Background, Interactions, Judged, Rankings, Side, Vocabulary
from heldout.tables.arrays import frozen
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
        with refused(
            SpecError,
            where="AP(ips): 'propensity'",
            found=str(make("propensity", relative)),
            expected="absolute propensities",
        ):
            make("metric", f"AP(ips, propensity={relative})")
    with refused(
        SpecError,
        where="AP: 'estimate'",
        found="snips",
        expected="one of plain, ips",
        hint="write AP(ips, propensity=column",
    ):
        make("metric", "AP(snips)@10")


def test_impossible_propensities_are_refused() -> None:
    with refused(InputError, column="p", found=1.5, expected="a number above 0 and at most 1"):
        value(f"P(ips, {P})@5", with_propensities(LIST, [1, 1, 1.5]))
    with refused(InputError, column="p", found=0.0, expected="a number above 0"):
        value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [0]))
    assert value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [1, 1, 1.5])) > 0


def of_pairs(rows: list[tuple[int, int, float]]) -> Judged:
    """LIST, whose user is 0, with propensities of pairs of a user and an item."""
    users, items, p = zip(*rows, strict=True)
    side = Side.of(pl.DataFrame({"user_id": users, "item_id": items, "p": p}), "item_id", user_name="user_id")
    known = replace(LIST.relevance.background, side=side, users=Vocabulary.numbered(2))  # type: ignore[type-var]
    return replace(LIST, relevance=replace(LIST.relevance, background=known))


def test_propensities_may_differ_between_users() -> None:
    """Hits 0 and 2 have 1/4 and 1/2 for user 0; what user 1 would have does not matter."""
    rated = LIST.relevance.item.tolist()
    assert rated[:2] == [0, 2] and len(rated) == 4
    rows = [(0, 0, 0.25), (0, 2, 0.5), (1, 0, 1.0), (1, 2, 0.1), *((0, i, 1.0) for i in rated[2:])]
    assert value(f"P(ips, {P})@5", of_pairs(rows)) == pytest.approx((4 + 2) / 5)
    assert value(f"Recall(snips, {P})@1", of_pairs(rows)) == pytest.approx(4 / (4 + 2 + 1 + 1))
    with refused(InputError, column="p", expected="a number above 0 and at most 1"):
        value(f"P(ips, {P})@5", of_pairs([row for row in rows if row[:2] != (0, 2)]))
    with refused(InputError, found=["0", "0"], expected="one row for each pair"):
        of_pairs([*rows, (0, 0, 0.3)])
    with refused(InputError, found="one row for each user and item", expected="one row for each item"):
        side = of_pairs(rows).relevance.background.side  # type: ignore[union-attr]
        side.features("p", Vocabulary.numbered(57))  # type: ignore[union-attr]


def test_popularity_needs_training_ratings() -> None:
    bare = replace(LIST, relevance=replace(LIST.relevance, background=Background(items=Vocabulary.numbered(57))))
    with refused(NotApplicableError, where="Recall(estimate=snips)@5", hint="pass the training set: train=…"):
        value("Recall(snips)@5", bare)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (f"P(ips, {P})@5", (1 + 2) / 5),
        (f"P(ips, {P})@1", 1.0),
        (f"DCG(ips, gain=binary, {P})", 1 + 2 / log2(4)),
        (f"DCG(snips, gain=binary, {P})", (1 + 2 / log2(4)) / (1 + 2 + 1 + 1)),
        (f"Recall(snips, {P})@5", (1 + 2) / 5),
        (f"Recall(snips, {P})@2", 1 / 5),
        # rank 1: 1 · 1/1; rank 3: 2 · (1 + 1)/3
        (f"AP(ips, {P})", (1 + 2 * (1 + 1) / 3) / 5),
        (f"AP(ips, {P})@2", 1 / 5),
        # 57 targets: rank 1 is above all 56 others, rank 3 above 54; each of the 2 unlisted is tied with 53 others
        (f"AUC(snips, {P})", (1 * 1 + 2 * 54 / 56 + 2 * (53 / 2) / 56) / 5),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def world(users: int, seed: int) -> tuple[Judged, dict[str, float]]:
    """A system's lists judged by what users happened to rate, and the truth.

    Items differ in how likely a relevant one is to be rated; the system likes what is rated often, so that plain
    averages flatter it in recall and, since most relevant items go unseen, belittle it in precision.
    """
    rng, items = np.random.default_rng(seed), 60
    p = np.geomspace(0.05, 0.9, items)
    relevant = rng.random((users, items)) < 0.3
    scores = 2 * p + 0.6 * relevant + rng.normal(0, 0.4, (users, items))
    order = np.argsort(-scores, axis=1)
    rank = np.argsort(order, axis=1) + 1
    some = relevant.any(axis=1)
    truth = {
        "P": float(((rank <= 10) & relevant).sum(axis=1).mean() / 10),
        "DCG": float(np.where(relevant, 1 / np.log2(rank + 1), 0).sum(axis=1).mean()),
        "Recall": float((((rank <= 10) & relevant).sum(axis=1)[some] / relevant.sum(axis=1)[some]).mean()),
        "DCG per item": float(np.where(relevant, 1 / np.log2(rank + 1), 0).sum() / relevant.sum()),
        "AP per item": float(np.where(relevant, _precision_at(relevant, order, rank), 0).sum() / relevant.sum()),
        "AUC": float((1 - (rank - 1) / (items - 1))[relevant].mean()),
    }
    seen = relevant & (rng.random((users, items)) < p)
    user, item = np.nonzero(seen)
    test = Interactions.build(Vocabulary.numbered(users), Vocabulary.numbered(items), user, item, np.full(len(user), 5.0))
    side = Side(pl.Series(np.arange(items)), pl.DataFrame({"p": p}))
    everyone = np.arange(users, dtype=np.int32)
    background = Background(items=test.items, side=side)
    relevance = make("relevance", "threshold(4)").judge(test, everyone, 5.0, background=background)
    rankings = Rankings(
        everyone,
        frozen(np.arange(users + 1) * items, np.int64),
        frozen(order.ravel(), np.int32),
        frozen(np.take_along_axis(scores, order, axis=1).ravel(), np.float64),
    )
    return judge_rankings(rankings, relevance, n_items=items, targets=np.full(users, items, np.int32)), truth


def _precision_at(relevant: np.ndarray, order: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """P@k at the rank k of each item."""
    met = np.take_along_axis(relevant, order, axis=1).cumsum(axis=1)
    return np.take_along_axis(met, rank - 1, axis=1) / rank


def pooled(metric: str, judged: Judged) -> float:
    """The ratio of sums over users of a self-normalised estimate: its weights make up for who was seen."""
    from heldout.metrics.inverse_propensity import inverse_propensities, total_weight

    made = make("metric", metric)
    weight = total_weight(judged, inverse_propensities(judged.relevance, made.propensity, made), None)
    found = made.measure(judged)
    known = ~np.isnan(found)
    return float((found[known] * weight[known]).sum() / weight[known].sum())


def test_ips_comes_to_the_truth_where_plain_averages_do_not() -> None:
    judged, truth = world(20_000, 1)
    plain, ips = values_of("P@10", judged).mean(), values_of(f"P(ips, {P})@10", judged).mean()
    assert abs(ips - truth["P"]) < 0.01 * truth["P"]
    assert abs(plain - truth["P"]) > 0.2 * truth["P"]
    plain, ips = values_of("DCG(gain=binary)", judged).mean(), values_of(f"DCG(ips, gain=binary, {P})", judged).mean()
    assert abs(ips - truth["DCG"]) < 0.01 * truth["DCG"]
    assert abs(plain - truth["DCG"]) > 0.4 * truth["DCG"]


@pytest.mark.parametrize(
    ("metric", "true"),
    [("Recall@10", "Recall"), ("DCG", "DCG per item"), ("AP", "AP per item"), ("AUC", "AUC")],
)
def test_ratios_of_weighed_sums_come_near_the_truth_where_plain_averages_do_not(metric: str, true: str) -> None:
    judged, truth = world(20_000, 2)
    key, _, n = metric.partition("@")
    gain = ", gain=binary" if key == "DCG" else ""
    way = "ips" if key == "AP" else "snips"
    estimate = f"{key}({way}{gain}, {P})" + (f"@{n}" if n else "")
    plain_values = values_of(metric if key != "DCG" else "DCG(gain=binary)", judged)
    total = judged.total_relevant() if key == "DCG" else np.ones(len(judged))
    known = ~np.isnan(plain_values) & (judged.total_relevant() > 0)
    plain = float((plain_values[known] / total[known]).mean()) if key == "DCG" else float(plain_values[known].mean())
    ratio = pooled(estimate, judged)
    assert abs(ratio - truth[true]) < 0.15 * abs(plain - truth[true]), (plain, ratio, truth[true])


def test_estimates_converge() -> None:
    """Four times as many users, half the error, within what chance allows."""
    errors = []
    for users in (500, 8000):
        off = [
            values_of(f"P(ips, {P})@10", judged).mean() - truth["P"] for judged, truth in (world(users, s) for s in range(8))
        ]
        errors.append(float(np.sqrt(np.mean(np.square(off)))))
    assert errors[1] < 0.5 * errors[0]
