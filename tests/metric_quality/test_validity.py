"""The complete truth of simulated data as the test set."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metric_quality.studies import small_study

import heldout as ho
from heldout.metric_quality import validity
from heldout.metric_quality.validity import knows_truth, truth_of


def test_precision_by_the_truth_is_the_share_of_items_that_users_would_like() -> None:
    """Popularity ranks items alike for all, so its true precision can be counted from the world by hand."""
    study = small_study(recommend=["Popularity", "Random"], metrics=["P@5"])
    ((protocol, (means,)),) = truth_of(study, undefined_as_zero=True).means.items()
    assert protocol.target == "AllItems"
    world = ho.readers.Simulate(users=80, items=60, ratings=1500).world()
    split = next(study.split[0].split(world.interactions, seed=1))
    train = split.train
    order = np.argsort(-train.item_counts, kind="stable")
    truth = world.truth(np.asarray(train.users.decode(np.arange(80)), np.int64) - 1)
    truth = truth[:, np.asarray(train.items.decode(np.arange(60)), np.int64) - 1]
    hits = []
    for user in np.flatnonzero(split.test.user_counts):
        seen = set(train.item[train.user == user].tolist())
        top = [item for item in order if item not in seen][:5]
        hits.append(np.mean([truth[user, item] >= 4 for item in top]))
    assert means.systems == ("Popularity", "Random")
    assert means.means[0] == pytest.approx(np.mean(hits), abs=1e-12)


def test_targets_that_depend_on_the_test_set_have_no_truth() -> None:
    study = small_study(
        target=["AllItems", "TestItems", "TestRatings", "OnePlusRandom(5)"], recommend=["Popularity", "Random"]
    )
    assert {protocol.target for protocol in truth_of(study, undefined_as_zero=True).means} == {"AllItems"}
    assert truth_of(small_study(target="TestItems"), undefined_as_zero=True).means == {}


def test_users_are_drawn_where_the_truth_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validity, "MOST", 60 * 10)
    lengths = []
    ready = validity.ready
    monkeypatch.setattr(validity, "ready", lambda *a: lengths.append(len(np.unique(a[4].test.user))) or ready(*a))
    truth = truth_of(small_study(recommend=["Popularity", "Random"], metrics=["P@5"]), undefined_as_zero=True)
    assert lengths == [10]
    assert "is that of 10 users, drawn from the 80" in truth.limits[0]


def test_only_simulated_data_know_it() -> None:
    assert knows_truth(small_study())
