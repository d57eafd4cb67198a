"""Estimates that weigh ratings by their inverse propensities: by hand, and where the truth is known."""

from __future__ import annotations

from math import log2

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, value
from tests.metrics.propensities import with_propensities

from heldout.catalogue import make
from heldout.metrics.judge import judge_rankings
from heldout.tables import Background, Interactions, Judged, Rankings, Side, Vocabulary
from heldout.tables.arrays import frozen
from heldout.testing.lists import values_of

P = "propensity=column(p)"


# relevant items 0 and 2 at ranks 1 and 3 with propensities 1 and 1/2; two more, unlisted, with 1
LIST = with_propensities(judged_list([5, None, 4], (4, 5)), [1, 1, 0.5])


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
