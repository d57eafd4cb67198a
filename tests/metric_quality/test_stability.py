"""Orders of systems in several draws."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metric_quality.studies import small_study

import heldout as ho
from heldout.metric_quality import stability
from heldout.metric_quality.stability import SystemMeans, knows_truth, mean_tau, mean_value, truth_of


def draw_of(*means: float, systems: tuple[str, ...] = ("A", "B", "C")) -> list[SystemMeans]:
    return [SystemMeans(metric="P@5", systems=systems, means=means)]


def test_the_mean_over_all_pairs_of_draws() -> None:
    draws = [draw_of(1, 2, 3), draw_of(4, 5, 6), draw_of(3, 2, 1)]
    assert mean_tau(draws) == {"P@5": pytest.approx(-1 / 3)}  # 1, −1 and −1


def test_systems_and_metrics_of_all_draws_alone_are_compared() -> None:
    without = draw_of(2, 1, systems=("C", "A"))  # C above A, as in the other
    assert mean_tau([draw_of(1, 9, 3), without]) == {"P@5": 1.0}
    assert mean_tau([draw_of(1, 2, 3), []]) == {}
    assert mean_tau([draw_of(1, 2, 3)]) == {}
    assert np.isnan(mean_tau([draw_of(1, 1, 1), draw_of(1, 2, 3)])["P@5"])


def test_undefined_values_count_or_not() -> None:
    values = np.array([1.0, np.nan])
    assert mean_value(values, undefined_as_zero=True) == 0.5
    assert mean_value(values, undefined_as_zero=False) == 1.0
    assert np.isnan(mean_value(values[1:], undefined_as_zero=False))


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
    monkeypatch.setattr("heldout.data.world.MOST_RATINGS", 60 * 10)
    lengths = []
    ready = stability.ready
    monkeypatch.setattr(stability, "ready", lambda *a: lengths.append(len(np.unique(a[4].test.user))) or ready(*a))
    truth = truth_of(small_study(recommend=["Popularity", "Random"], metrics=["P@5"]), undefined_as_zero=True)
    assert lengths == [10]
    assert "is that of 10 users, drawn from the 80" in truth.limits[0]


def test_only_simulated_data_know_it() -> None:
    assert knows_truth(small_study())
