"""Models that write to their training ratings, end the process, or mask what they cannot score."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.experiment.conftest import STUDY
from tests.refusals import refused

import heldout as ho
from heldout.catalogue.component import registered
from heldout.errors import SystemsFailedError
from heldout.experiment.recommend import recommend
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions

SMALL = {**STUDY, "recommend": ["Popularity", "UserKNN(k=5)"], "target": "AllItems", "metrics": "P@5"}


def by_count(train: Any, users: Any) -> Any:
    return np.tile(train.item_counts.astype(float), (len(users), 1))


def overwrite(array: Any) -> None:
    while array is not None:
        array.setflags(write=True)
        array[:] = np.roll(array, 1)
        array = array.base


def values(train: Interactions) -> None:
    overwrite(train.value)


def columns(train: Interactions) -> None:
    overwrite(train.item)
    overwrite(train.user)


def memos(train: Interactions) -> None:
    overwrite(train.user_indptr)
    overwrite(train.item_counts)
    for part in train.by_item:
        overwrite(part)
    object.__setattr__(train, "value", np.zeros(len(train)))


def ids(train: Interactions) -> None:
    overwrite(train.users.ids)
    overwrite(train.items.ids)


def matrix(train: Interactions) -> None:
    train.to_csr().data[:] = 0
    train.to_csr().indices[:] = 0


def frames(train: Interactions) -> None:
    frame = train.to_polars()
    for name in ("value", "time"):
        if name in frame.columns:
            found = frame[name].to_numpy(writable=False, allow_copy=True)
            found.setflags(write=found.base is None)
    pandas = frame.to_pandas()
    pandas["value"] = 0.0


CHANGES: dict[Callable[[Interactions], None], bool] = {
    values: True,
    columns: True,
    memos: True,
    ids: True,
    matrix: False,
    frames: False,
}
"""What a model does, and whether its own copy is another afterwards."""


@pytest.mark.parametrize("change", list(CHANGES), ids=lambda change: change.__name__)
@pytest.mark.parametrize("when", ["fit", "score"])
def test_no_other_system_is_affected_by_what_a_model_does_to_its_ratings(change: Any, when: str) -> None:
    class Writing:
        def fit(self, train: Any) -> None:
            self.counts, self.train = train.item_counts.astype(float), train
            if when == "fit":
                change(train)

        def score(self, users: Any) -> Any:
            if when == "score":
                change(self.train)
            return np.tile(self.counts, (len(users), 1))

    first, last = ho.as_recommender("first", Writing()), ho.as_recommender("last", by_count)
    study = {**SMALL, "recommend": [first, "Popularity", "UserKNN(k=5)", last], "split": "folds(2, by=rating)"}
    results = ho.run(study)
    clean = ho.run({**study, "recommend": ["Popularity", "UserKNN(k=5)", last]})
    board = results.tables["all-leaderboards"].frame.filter(results.tables["all-leaderboards"].frame["system"] != "first")
    assert board["system", "value", "low", "high"].equals(
        clean.tables["all-leaderboards"].frame["system", "value", "low", "high"]
    )
    if CHANGES[change]:
        assert set(results.failed.values()) == {"fit: it changed the training ratings that it was given (a copy of its own)"}
        assert "first failed on 2 folds and is left out (fit: it changed the training ratings" in results.to_html()
    else:
        assert results.failed == {}


class Zeros(Model):
    def __init__(self, n_items: int) -> None:
        self.n_items = n_items

    def score(self, users: Any) -> Any:
        return np.zeros((len(users), self.n_items), np.float32)


def test_recommenders_of_other_packages_have_a_copy_too() -> None:
    known = registered("recommender")
    before = dict(known)

    class Spoiling(Recommender):
        """It spoils what it is given."""

        key = "Spoiling"

        def fit(self, train: Interactions, *, seed: int) -> Model:
            values(train)
            return Zeros(train.n_items)

    try:
        results = ho.run({**SMALL, "recommend": ["Spoiling", "UserKNN(k=5)", "Popularity"]})
    finally:
        known.clear()
        known.update(before)
    assert [cell.rpartition(" | ")[2] for cell in results.failed] == ["Spoiling"]
    clean = ho.run({**SMALL, "recommend": ["UserKNN(k=5)", "Popularity"]})
    assert results.tables["all-leaderboards"].frame["value"].equals(clean.tables["all-leaderboards"].frame["value"])


def test_the_callers_arrays_may_change_while_a_study_runs() -> None:
    rng = np.random.default_rng(1)
    pairs = np.unique(rng.integers(0, [60, 30], (700, 2)), axis=0)
    ratings = (pairs[:, 0].copy(), pairs[:, 1].copy(), rng.integers(1, 6, len(pairs)).astype(float))
    study = {**SMALL, "recommend": "UserKNN(k=5)", "split": ["ratio(train=0.6, by=user)", "ratio(train=0.7, by=user)"]}
    clean = ho.run({**study, "data": tuple(column.copy() for column in ratings)}, models={"mine": by_count})

    def spoils(train: Any, users: Any) -> Any:
        ratings[2][:] = 1.0
        ratings[0][:] = ratings[0][::-1].copy()
        return by_count(train, users)

    results = ho.run({**study, "data": ratings}, models={"mine": spoils})
    assert results.tables["all-leaderboards"].frame["value"].equals(clean.tables["all-leaderboards"].frame["value"])


class LeaveError(BaseException):
    """What no `except Exception` catches."""


def leaves(train: Any, users: Any) -> Any:
    raise LeaveError("gone")


def exits(train: Any, users: Any) -> Any:
    sys.exit()


def exits_with_words(train: Any, users: Any) -> Any:
    sys.exit("no licence found")


def cancels(train: Any, users: Any) -> Any:
    raise asyncio.CancelledError


class ExitsInFit:
    def fit(self, train: Any) -> Any:
        raise SystemExit(0)


REASONS = {
    leaves: "score: LeaveError: gone",
    exits: "score: SystemExit",
    exits_with_words: "score: SystemExit: no licence found",
    cancels: "score: CancelledError",
    ExitsInFit: "fit: SystemExit: 0",
}


@pytest.mark.parametrize("model", list(REASONS), ids=lambda model: model.__name__)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_model_that_ends_the_process_is_a_failed_system(model: Any, threads: int) -> None:
    results = ho.run(SMALL, models={"mine": model}, threads=threads)
    assert list(results.failed.values()) == [REASONS[model]]
    assert results.findings.systems == ("Popularity", "UserKNN(k=5)")


@pytest.mark.parametrize("model", list(REASONS), ids=lambda model: model.__name__)
def test_where_it_is_the_only_one_the_study_ends_with_its_reason(model: Any) -> None:
    with refused(SystemsFailedError, where="mine") as refusal:
        ho.run({**SMALL, "recommend": []}, models={"mine": model})
    assert refusal.value.exit_code == 3
    assert refusal.value.reasons == {"mine": REASONS[model]}
    with refused(SystemsFailedError, where="model") as refusal:
        recommend(model, "simulate(users=20, items=10, ratings=100)")
    assert refusal.value.reasons == {"model": REASONS[model]}


def test_ctrl_c_in_a_model_still_stops_the_study() -> None:
    def interrupted(train: Any, users: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ho.run(SMALL, models={"mine": interrupted})


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_masked_scores_are_items_that_cannot_be_scored(kind: Any) -> None:
    def unmasked(train: Any, users: Any) -> Any:
        scores = by_count(train, users)
        scores[:, ::2] = np.nan
        return scores

    def masked(train: Any, users: Any) -> Any:
        scores = np.ma.masked_array(by_count(train, users).astype(kind))
        scores[:, ::2] = np.ma.masked
        return scores

    expected, found = (ho.run({**SMALL, "recommend": []}, models={"mine": model}) for model in (unmasked, masked))
    assert found.tables["all-leaderboards"].frame.equals(expected.tables["all-leaderboards"].frame)
    plain = ho.run(
        {**SMALL, "recommend": []}, models={"mine": lambda train, users: np.ma.masked_array(by_count(train, users))}
    )
    assert plain.tables["all-leaderboards"].frame.equals(
        ho.run({**SMALL, "recommend": []}, models={"mine": by_count}).tables["all-leaderboards"].frame
    )


def test_the_names_of_a_users_models_are_the_users_own() -> None:
    results = ho.run(SMALL, models={"BPR": by_count, "itemknn": by_count, "Mean (ours)": by_count})
    assert results.findings.systems == ("Popularity", "UserKNN(k=5)", "BPR", "itemknn", "Mean (ours)")
    assert "BPR" in results.to_html()
    with refused(ho.SpecError, where="recommend", found="Popularity", hint="rename one of them"):
        ho.run(SMALL, models={"Popularity": by_count})


@pytest.mark.parametrize("when", ["fit", "score"])
def test_results_stay_in_one_folder_when_a_model_goes_to_another(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Going:
        def fit(self, train: Any) -> None:
            self.counts = train.item_counts.astype(float)
            if when == "fit":
                os.chdir(tmp_path / "elsewhere")

        def score(self, users: Any) -> Any:
            if when == "score":
                os.chdir(tmp_path / "elsewhere")
            return np.tile(self.counts, (len(users), 1))

    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    ho.run(SMALL, models={"going": Going()}, out="results")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert (tmp_path / "results" / "report.html").exists()


def test_what_a_model_says_is_told_as_it_is() -> None:
    def colon(train: Any, users: Any) -> Any:
        raise RuntimeError("see:")

    def silent(train: Any, users: Any) -> Any:
        raise RuntimeError

    results = ho.run(SMALL, models={"colon": colon, "silent": silent})
    assert sorted(results.failed.values()) == ["score: RuntimeError", "score: RuntimeError: see:"]
