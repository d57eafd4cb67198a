"""Inverse propensities: by hand, and on simulated users whose complete relevance is known."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, knowing, value

from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError
from heldout.metrics.judge import judge_rankings
from heldout.tables import Background, Interactions, Judged, Rankings, Side, Vocabulary
from heldout.tables.arrays import frozen
from heldout.testing.lists import judged_lists, random_lists, values_of

P = "propensity=column(p)"


def with_propensities(judged: Judged, p: list[float]) -> Judged:
    """Propensities of the first items; the others have 1."""
    numbers = np.ones(57)
    numbers[: len(p)] = p
    side = Side(pl.Series(np.arange(57)), pl.DataFrame({"p": numbers}))
    known = replace(judged.relevance.background, side=side)  # type: ignore[type-var]
    return replace(judged, relevance=replace(judged.relevance, background=known, _memo={}), _memo={})


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
        # 57 targets: rank 1 is above all 56 others, rank 3 above 54; each of the 2 unlisted is tied with 53 others
        (f"AUC(snips, {P})", (1 * 1 + 2 * 54 / 56 + 2 * (53 / 2) / 56) / 5),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def test_propensities_by_popularity() -> None:
    """γ = 1: p is proportional to the number of ratings: 4 for item 0, 1 for the others; a factor cancels."""
    judged = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 4, 1))
    assert value("Recall(snips, propensity=popularity(1))@1", judged) == pytest.approx((1 / 4) / (1 / 4 + 1 + 1))
    many = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 400, 100))
    for metric in ("Recall(snips)@1", "DCG(snips)", "AUC(snips)"):
        assert value(metric, many) == pytest.approx(value(metric, judged))


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
    with pytest.raises(InputError, match=r"2 rows are of pairs that occur more than once \(first: 0, 0\)"):
        of_pairs([*rows, (0, 0, 0.3)])
    with pytest.raises(InputError, match="one row for each user and item, expected one for each item"):
        side = of_pairs(rows).relevance.background.side  # type: ignore[union-attr]
        side.features("p", Vocabulary.numbered(57))  # type: ignore[union-attr]


def test_popularity_needs_training_ratings() -> None:
    bare = replace(
        LIST, relevance=replace(LIST.relevance, background=Background(items=Vocabulary.numbered(57)), _memo={}), _memo={}
    )
    with pytest.raises(NotApplicableError, match="needs the training ratings to tell how popular items are"):
        value("Recall(snips)@5", bare)


@pytest.mark.parametrize("n", [1, 5, 20, None])
def test_stratified_recall_without_strata_is_recall(n: int | None) -> None:
    judged = judged_lists(*random_lists(11))
    suffix = "" if n is None else f"@{n}"
    np.testing.assert_allclose(values_of(f"StratifiedRecall(gamma=0){suffix}", judged), values_of(f"Recall{suffix}", judged))


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
    [("Recall@10", "Recall"), ("DCG", "DCG per item"), ("AUC", "AUC")],
)
def test_snips_comes_near_the_truth_where_plain_averages_do_not(metric: str, true: str) -> None:
    judged, truth = world(20_000, 2)
    key, _, n = metric.partition("@")
    gain = ", gain=binary" if key == "DCG" else ""
    estimate = f"{key}(snips{gain}, {P})" + (f"@{n}" if n else "")
    plain_values = values_of(metric if key != "DCG" else "DCG(gain=binary)", judged)
    total = judged.total_relevant() if key == "DCG" else np.ones(len(judged))
    known = ~np.isnan(plain_values) & (judged.total_relevant() > 0)
    plain = float((plain_values[known] / total[known]).mean()) if key == "DCG" else float(plain_values[known].mean())
    snips = pooled(estimate, judged)
    assert abs(snips - truth[true]) < 0.15 * abs(plain - truth[true]), (plain, snips, truth[true])


def test_estimates_converge() -> None:
    """Four times as many users, half the error, within what chance allows."""
    errors = []
    for users in (500, 8000):
        off = [
            values_of(f"P(ips, {P})@10", judged).mean() - truth["P"] for judged, truth in (world(users, s) for s in range(8))
        ]
        errors.append(float(np.sqrt(np.mean(np.square(off)))))
    assert errors[1] < 0.5 * errors[0]
