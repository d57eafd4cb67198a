"""The ranks of a system on a fold: what they depend on, and when they are made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.experiment.conftest import STUDY, scores
from tests.experiment.ranked import MANY, prepared, same

import heldout as ho
from heldout.experiment.clock import Clock
from heldout.experiment.ledger import Ledger
from heldout.experiment.ranks import Fitted, fit_key, plan_of
from heldout.study.spec import make_study


def test_what_ranks_depend_on() -> None:
    study, fold = prepared(MANY)
    plan, system = plan_of(study, fold), study.recommend[0]
    key = fit_key(plan, system)
    assert fit_key(plan_of(replace(study, metrics=make_study(STUDY).metrics), fold), system) == key
    assert fit_key(plan, replace(system, name="another name")) == key
    assert fit_key(replace(plan, seed=2), system) != key
    assert fit_key(replace(plan, users=plan.users[1:]), system) != key
    assert fit_key(replace(plan, split=replace(plan.split, fold=1)), system) != key
    assert fit_key(plan, replace(system, recommender=system.recommender.replace(k=6))) != key


def test_fewer_choices_are_served_by_the_same_file(tmp_path: Path) -> None:
    study, fold = prepared(MANY)
    store = Ledger(tmp_path / "out")
    store.announce({})
    system = study.recommend[0]
    clock = Clock()
    every = Fitted(system=system, plan=plan_of(study, fold), clock=clock).ranks(store)
    fewer = replace(study, target=study.target[1:3], fallback=study.fallback[1:], ties=study.ties[:1])
    fitted = Fitted(system=system, plan=plan_of(fewer, fold), clock=clock)
    found = fitted.ranks(store)
    assert not fitted.was_fitted
    assert set(found.by_choice) < set(every.by_choice)
    assert all(same(found.by_choice[key], every.by_choice[key]) for key in found.by_choice)
    more = make_study({**MANY, "target": ["AllItems", "TestItems"]})
    assert not store.has_ranks(fit_key(plan_of(more, fold), system), plan_of(more, fold))
    assert len(list((tmp_path / "out" / "ranks").iterdir())) == 1


def test_other_metrics_need_no_other_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ho.run(STUDY, out=tmp_path / "out")
    changed = {**STUDY, "metrics": ["Recall@5", "AP"], "aggregate": ["mean", "median"], "unrated": ["zero", "condense"]}
    expected = ho.run(changed, out=tmp_path / "fresh")
    monkeypatch.setattr("heldout.recommenders.baseline.popularity.Popularity.fit", None)
    found = ho.run(changed, out=tmp_path / "out")
    assert found._source is not None
    assert found._source.manifest["reused"] == (
        "scores of 0 of 3 cells reused, only ranks of 3; Popularity, UserKNN(k=5), WRMF(factors=4, iterations=2) measured "
        "again: unrated and metrics changed"
    )
    assert found.tables["all-leaderboards"].frame.equals(expected.tables["all-leaderboards"].frame)
    assert scores(tmp_path / "fresh").items() < scores(tmp_path / "out").items()


def test_metrics_of_all_scores_fit_again_and_say_so(tmp_path: Path) -> None:
    least = {**STUDY, "target": "AllItems", "recommend": ["Popularity"]}
    ho.run(least, out=tmp_path / "out")
    curves = {**least, "metrics": ["P@5", "nDCG(gain=binary)@5", "GROC"]}
    found = ho.run(curves, out=tmp_path / "out")
    assert found._source is not None
    assert found._source.manifest["reused"] == "scores of 0 of 1 cell reused; Popularity fitted: metrics changed"
    assert found.tables["all-leaderboards"].frame.equals(ho.run(curves).tables["all-leaderboards"].frame)
