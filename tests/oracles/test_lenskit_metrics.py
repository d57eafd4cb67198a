"""What cards say of LensKit's metrics, against LensKit itself where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho

metrics = pytest.importorskip("lenskit.metrics", reason="LensKit is not installed")
data = pytest.importorskip("lenskit.data", reason="LensKit is not installed")

THEIRS = {
    "nDCG(gain=binary, discount=jarvelin)@10": ("NDCG", 10),
    "nDCG(gain=binary, discount=jarvelin)@3": ("NDCG", 3),
    "RecallCapped@10": ("Recall", 10),
    "PReturned@10": ("Precision", 10),
    "HitRate@10": ("Hit", 10),
    "RR@10": ("RecipRank", 10),
}


def test_metrics_are_those_that_the_cards_name() -> None:
    rng = np.random.default_rng(8)
    users, items = 200, 40
    truth = {u: rng.choice(items, rng.integers(1, 15), replace=False) for u in range(users)}
    lists = {u: rng.permutation(items)[: rng.integers(1, 30)] for u in range(users)}
    test = {
        "user": [u for u, own in truth.items() for _ in own],
        "item": [int(i) for own in truth.values() for i in own],
        "rating": [1.0 for own in truth.values() for _ in own],
    }
    run = {
        "user": [u for u, own in lists.items() for _ in own],
        "item": [int(i) for own in lists.values() for i in own],
        "score": [float(-k) for own in lists.values() for k in range(len(own))],
    }
    values = ho.evaluate(test, {"A": run}, list(THEIRS), relevance="threshold(1)").per_user()
    for ours, (name, n) in THEIRS.items():
        metric = getattr(metrics, name)(n)
        of_user = dict(zip(values["user_id"], values[ours], strict=True))
        for u in range(users):
            ranked = data.ItemList(item_ids=lists[u], ordered=True)
            assert of_user[u] == pytest.approx(metric.measure_list(ranked, data.ItemList(item_ids=truth[u]))), (ours, u)
