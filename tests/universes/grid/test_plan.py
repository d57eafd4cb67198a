"""What a multiverse would take: counts of fits, folds and universes, and times made larger."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.experiment.ranked import prepared

from heldout import Plan
from heldout.catalogue import make
from heldout.tables import Interactions, Vocabulary
from heldout.universes.compute.explore import explore
from heldout.universes.grid import plan as planning
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.plan import Stage, TrialFit, plan, sampled, trial

GRID: dict[str, Any] = {
    "data": "simulate(users=60, items=30, ratings=700)",
    "split": ["ratio(train=0.7, by=user)", "folds(2)"],
    "recommend": ["Popularity", "Random"],
    "metrics": ["P", "nDCG"],
    "compare": ["t", "sign"],
    "multiverse": {"seeds": [1, 2], "cutoffs": [3, 5]},
}


def test_everything_is_counted_and_what_the_folder_has_is_not_fitted(tmp_path: Path) -> None:
    """Two seeds × (one fold and two), two systems each: twelve fits."""
    multiverse = multiverse_from(GRID)
    estimate = plan(multiverse, out=tmp_path / "out")
    counts = {stage.name: stage.count for stage in estimate.stages}
    assert (estimate.fits, estimate.present, estimate.universes) == (12, 0, len(multiverse))
    assert counts == {"data": 1, "split": 6, "fit": 6, "rank": 12, "measure": 4}
    assert not (tmp_path / "out").exists()
    explore(multiverse, out=tmp_path / "out")
    again = plan(multiverse, out=tmp_path / "out")
    assert (again.fits, again.present) == (12, 12)
    assert {stage.seconds for stage in again.stages if stage.name in ("fit", "rank")} == {0.0}


def test_stages_add_up_and_are_told() -> None:
    stages = (Stage("fit", 3, "A", 90.0), Stage("rank", 1, "× 1 way of judging", 30.0))
    estimate = Plan(universes=1200, fits=3, present=0, stages=stages, disk=3_000_000)
    assert estimate.seconds == 120.0
    assert estimate.summary.startswith("1,200 distinct universes from 3 fits: about 2 min and 3 MB of disk.")
    large = replace(estimate, present=2, disk=3_500_000_000)
    assert "3 fits, 2 of which the folder has" in large.summary and "3.5 GB" in large.summary
    assert repr(estimate).splitlines()[0].startswith("fit: 3 A, about ")


def test_time_grows_with_a_power_of_the_ratings() -> None:
    assert TrialFit(100, 2.0, 1.0, 0.0).fit(300) == pytest.approx(6.0)
    assert TrialFit(100, 2.0, 2.0, 0.0).fit(300) == pytest.approx(18.0)


def test_a_system_that_fails_takes_no_time() -> None:
    multiverse = multiverse_from({**GRID, "split": "ratio", "multiverse": {"cutoffs": [3]}})
    study, fold = prepared(
        {**{key: value for key, value in GRID.items() if key != "multiverse"}, "split": "ratio", "metrics": "P@5"}
    )
    assert trial(study, fold, multiverse.study.recommend[0]).ratings > 1
    failing = replace(multiverse.study.recommend[0], recommender=make("recommender", "UserKNN(k=2)"))

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(failing.recommender), "fit", fail)
        assert trial(study, fold, failing) == TrialFit(1, 0.0, 1.0, 0.0)


def test_samples_are_an_even_share_of_the_users_and_not_too_many_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    user, item = np.divmod(np.arange(160 * 5), 5)
    train = Interactions.build(Vocabulary.numbered(160), Vocabulary.numbered(5), user, item, np.ones(800))
    eighth = sampled(train, 1 / 8)
    assert len(eighth) == 20 * 5 and {int(eighth.user[0]), int(eighth.user[-1])} == {0, 159}
    monkeypatch.setattr(planning, "MOST", 50)
    assert len(sampled(train, 1 / 8)) == 10 * 5 and len(sampled(train, 1 / 16)) == 5 * 5
    assert len(sampled(train, 0.0001)) == 2 * 5  # two users at least
