"""The search for hyper-parameters: what it looks at, what it keeps, and that it goes on."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from tests.heavy import heavy
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, make
from heldout.errors import UNKNOWN, MissingExtraError, NotApplicableError, ResultsError, SpecError, UnknownNameError
from heldout.experiment import tune as module
from heldout.experiment.cell import measured_part
from heldout.experiment.clock import Clock
from heldout.experiment.ranks import Fitted, plan_of
from heldout.experiment.tune import range_of, search_space, tune
from heldout.recommenders import PureSVD
from heldout.recommenders.ranges import Among, Between, among, between
from heldout.study.spec import make_study
from heldout.study.systems import System
from heldout.study.tuned import read_tuned
from heldout.tables import Interactions, Vocabulary


@pytest.fixture(scope="module")
def ratings():
    draw = np.random.default_rng(1)
    cells = draw.integers(1, 6, (60, 30)) * (draw.random((60, 30)) < 0.4)
    user, item = np.nonzero(cells)
    return Interactions.build(
        Vocabulary.numbered(60), Vocabulary.numbered(30), user, item, cells[user, item].astype(np.float64)
    )


@pytest.fixture
def study(ratings):
    keys = {"data": ratings, "split": "ratio(train=0.8, by=user)", "recommend": ["Random"], "metrics": "nDCG@5"}
    return make_study(keys)


def test_the_best_of_all_trials_is_chosen(study):
    found = tune(study, "PureSVD", trials=6, ranges={"factors": "2..12"})
    assert len(found.trials) == 6
    assert found.value == max(t.value for t in found.trials)
    assert make("recommender", found.model) == PureSVD(factors=found.parameters["factors"])
    assert found.cpu_seconds == pytest.approx(sum(t.cpu_seconds for t in found.trials))
    assert found.protocol["validation"] == "ratio(train=0.8, by=user, rounding=nearest)"


def test_a_real_parameter_is_searched_between_whole_ends(study):
    tuned = tune(study, "WRMF(factors=2, iterations=1)", trials=4, ranges={"alpha": "0..1"})
    assert all(0 < trial.parameters["alpha"] < 1 for trial in tuned.trials)


def test_validation_is_carved_out_of_train_and_test_is_never_seen(study, monkeypatch, ratings):
    seen = []
    whole = PureSVD.fit

    def spy(self, train, *, seed):
        seen.append({(u, i) for u, i in zip(train.user.tolist(), train.item.tolist(), strict=True)})
        return whole(self, train, seed=seed)

    monkeypatch.setattr(PureSVD, "fit", spy)
    measured = []
    honest = module._measured

    def noting(s, fold, model):
        measured.append(fold)
        return honest(s, fold, model)

    monkeypatch.setattr(module, "_measured", noting)
    tune(study, "PureSVD", trials=1, ranges={"factors": [3]})
    split = next(study.split[0].split(ratings, seed=1))
    test = set(zip(split.test.user.tolist(), split.test.item.tolist(), strict=True))
    fold = measured[0]
    checked = set(zip(fold.split.test.user.tolist(), fold.split.test.item.tolist(), strict=True))
    assert not seen[0] & test
    assert not checked & test
    assert not checked & seen[0]
    assert len(checked) + len(seen[0]) == len(split.train)


def test_a_search_that_was_stopped_ends_as_one_that_was_not(study, tmp_path, monkeypatch):
    straight = tune(study, "PureSVD", trials=14, ranges={"factors": "2..20"})
    honest, made = module._measured, []

    def stopping(s, fold, model):
        made.append(model)
        if len(made) == 5:
            raise KeyboardInterrupt
        return honest(s, fold, model)

    monkeypatch.setattr(module, "_measured", stopping)
    with pytest.raises(KeyboardInterrupt):
        tune(study, "PureSVD", trials=14, ranges={"factors": "2..20"}, out=tmp_path / "t")
    again = tune(study, "PureSVD", trials=14, ranges={"factors": "2..20"}, out=tmp_path / "t")
    assert [t.parameters for t in again.trials] == [t.parameters for t in straight.trials]
    assert [t.value for t in again.trials] == [t.value for t in straight.trials]
    # Four trials were kept, the fifth was made again: 5 + 10 calls for 14 trials.
    assert len(made) == 15
    assert read_tuned(tmp_path / "t") == again


def without_time(tuned):
    return [(t.number, t.parameters, t.value, t.reason) for t in tuned.trials]


@heavy
def test_ray_makes_the_trials_of_a_batch_side_by_side_to_the_same_values(ray_engine, study):
    options = {"trials": 6, "ranges": {"factors": "2..25"}, "batch": 3}
    here, there = tune(study, "PureSVD", **options), tune(study, "PureSVD", **options, engine="ray")
    assert without_time(here) == without_time(there)
    assert here.protocol["batch"] == "3"
    assert "batch" not in tune(study, "PureSVD", trials=1, ranges={"factors": "2..25"}).protocol


def test_a_search_in_batches_that_was_stopped_ends_as_one_that_was_not(study, tmp_path, monkeypatch):
    """Stopped in the middle of the second batch, when the search knows the values of some of its trials."""
    options = {"trials": 14, "ranges": {"factors": "2..25"}, "batch": 4}
    whole = tune(study, "PureSVD", **options)
    measured, calls = module.measured_trial, []

    def stops(*arguments):
        calls.append(1)
        if len(calls) == 13:
            raise KeyboardInterrupt
        return measured(*arguments)

    monkeypatch.setattr(module, "measured_trial", stops)
    with pytest.raises(KeyboardInterrupt):
        tune(study, "PureSVD", **options, out=tmp_path)
    monkeypatch.undo()
    assert without_time(tune(study, "PureSVD", **options, out=tmp_path)) == without_time(whole)
    with refused(SpecError, where="batch", found=15, expected="1 to 14"):
        tune(study, "PureSVD", **{**options, "batch": 15})


def test_parameters_that_are_refused_are_trials_without_value(study):
    found = tune(study, "PureSVD", trials=9, ranges={"factors": [4, 500]})
    assert found.parameters == {"factors": 4}
    refusals = [t for t in found.trials if t.parameters["factors"] == 500]
    assert refusals
    assert all(t.value is None and "PureSVD(factors=500)" in t.reason and "found 500" in t.reason for t in refusals)
    with refused(NotApplicableError, where="PureSVD", hint="try other ranges"):
        tune(study, "PureSVD", trials=2, ranges={"factors": [500]})


def test_folds_must_be_named(ratings):
    study = make_study({"data": ratings, "split": "folds(3)", "recommend": ["Random"], "metrics": "nDCG@5"})
    with refused(NotApplicableError, where="fold", hint="name one from 1 to 3"):
        tune(study, "PureSVD", trials=1)
    assert tune(study, "PureSVD(factors=3)", ranges={"values": "rating,binary"}, trials=2, fold=3).protocol["fold"] == "3"


def test_a_study_takes_tuned_systems_and_its_report_says_what_they_cost(study, tmp_path, ratings):
    tune(study, "PureSVD", trials=2, ranges={"factors": "2..5"}, out=tmp_path / "t")
    keys = {"data": ratings, "split": "ratio(train=0.8, by=user)", "metrics": "nDCG@5"}
    results = ho.run({**keys, "recommend": ["Popularity", {"name": "SVD", "tuned": str(tmp_path / "t")}]})
    tuning = results.findings.manifest["study"]["recommend"][1]["tuning"]
    assert tuning["trials"] == 2
    assert tuning["metric"] == "nDCG@5"
    assert "on validation ratings (ratio(train=0.8, by=user, rounding=nearest)); 2 trials" in results.to_html()
    assert "2 trials" in results.tables["systems"].frame["How chosen"][1]
    with refused(ResultsError, where=str(tmp_path / "nothing"), hint="heldout tune --out"):
        ho.run({**keys, "recommend": [{"tuned": str(tmp_path / "nothing")}]})
    tuned = (tmp_path / "t" / "tuned.json").read_text()
    again, damaged = {"hint": "run the same search again: finished trials"}, {"found": UNKNOWN, "hint": "heldout tune --out"}
    changes = {
        json.dumps({"heldout": 1}): {"found": 1, "expected": "format 2", "hint": "run the same search again"},
        json.dumps({"heldout": 9}): {"found": 9, "expected": "format 2", "hint": "upgrade heldout"},
        json.dumps({"heldout": 2}): again,
        tuned.replace('"value": ', '"value": 1'): again,
        "{": damaged,
        "[]": damaged,
        "[" * 100_000: damaged,
        '{"name": "x"}': {"expected": "a file that `heldout tune` wrote"},
    }
    for text, parts in changes.items():
        (tmp_path / "t" / "tuned.json").write_text(text)
        with refused(ResultsError, file="tuned.json", **parts):
            ho.run({**keys, "recommend": [{"tuned": str(tmp_path / "t")}]})


def test_what_is_searched():
    start, space = search_space("PureSVD(values=binary)", {})
    assert start == PureSVD(values="binary")
    assert list(space) == ["factors"]
    assert search_space("PureSVD", {"f": (2, 5)})[1] == {"factors": Between(2, 5)}
    assert range_of("x", "0.1..10:log") == between(0.1, 10.0, log=True)
    assert range_of("x", "a,b") == among("a", "b") == Among(("a", "b"))
    assert range_of("x", [1, True]) == among(1, True)


@pytest.mark.parametrize(
    ("model", "ranges", "kind", "parts"),
    [
        ("PureSVD", {"factor": "1..2"}, UnknownNameError, {"where": "range", "hint": "did you mean factors?"}),
        ("PureSVD(factors=2)", {"factors": "1..2"}, SpecError, {"where": "range", "hint": "leave one out"}),
        ("PureSVD", {"factors": "9..2"}, SpecError, {"where": "range", "hint": "the low end must be lower"}),
        ("PureSVD", {"factors": "0..2:log"}, SpecError, {"where": "range", "hint": "above 0"}),
        ("PureSVD", {"factors": "1..x"}, SpecError, {"where": "range", "hint": "such as factors=10..100"}),
        ("PureSVD", {"factors": "0..4"}, SpecError, {"where": "'factors'", "found": 0, "expected": "at least 1"}),
        ("PureSVD", {"factors": (2.5, 5)}, SpecError, {"where": "'factors'", "found": 2.5, "expected": "a whole number"}),
        ("UserKNN", {"k": (-3, 5)}, SpecError, {"where": "UserKNN: 'k'", "found": -3, "expected": "at least 1"}),
        ("PureSVD", {"values": "rating,stars"}, SpecError, {"found": "stars", "expected": "one of rating, binary"}),
        ("Popularity", {}, SpecError, {"where": "range", "hint": "give a range"}),
        ("PureSDV", {}, UnknownNameError, {"hint": "did you mean PureSVD"}),
    ],
)
def test_ranges_that_are_wrong(model, ranges, kind, parts):
    with refused(kind, **parts) as refusal:
        search_space(model, ranges)
    assert [*ranges, model][0] in str(refusal.value)


@pytest.mark.parametrize("cls", [c for c in classes("recommender") if c.ranges], ids=lambda c: c.key)
def test_declared_ranges_are_of_parameters_that_exist_and_within_their_bounds(cls):
    start, space = search_space(cls(), {})
    assert dict(space) == dict(start.ranges)


def test_a_missing_optuna_says_which_extra(study, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with refused(MissingExtraError, hint="pip install 'heldout[tune]' (in a checkout: pip install '.[tune]')"):
        tune(study, "PureSVD", trials=1)


@pytest.mark.parametrize("metric", ["P@3", "RMSE"])
def test_trials_have_the_number_that_a_run_would_have(ratings, metric):
    """Lists averaged by rating weigh users by their lists, and an undefined error is left out, not counted as 0."""
    target = "OnePlusRandom(8, average=rating)"
    keys = {
        "data": ratings,
        "split": "ratio(train=0.8, by=user)",
        "recommend": ["Random"],
        "metrics": metric,
        "target": target,
    }
    model = make("recommender", "PearsonUserKNN(k=2, min_overlap=3)")
    study, fold = module._validation_fold(make_study(keys), None, make("split", module.CARVED))
    fitted = Fitted(system=System("A", model), plan=plan_of(study, fold), clock=Clock(), block=64)
    scores = measured_part(study, fold, fitted, fitted.ranks(None)).scores[0]
    values = scores.column(str(study.metrics[0]))
    known = ~np.isnan(values)
    assert len(set(scores.lists.tolist())) > 1
    expected = np.average(values[known], weights=scores.lists[known])
    assert module._measured(study, fold, model) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("written", "span"),
    [
        ("10..100", Between(10, 100)),
        (" 0.01..10:log", Between(0.01, 10, log=True)),
        ((1, 5), Between(1, 5)),
        ([1, "a"], Among((1, "a"))),
        ("cosine,jaccard", Among(("cosine", "jaccard"))),
        ("1, 2.5,true,none, two", Among((1, 2.5, True, None, "two"))),
        (Between(1, 2), Between(1, 2)),
    ],
)
def test_ranges_as_they_are_written(written: Any, span: Any) -> None:
    assert range_of("k", written) == span


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("", {"found": "", "expected": "a range"}),
        (3, {"found": 3, "expected": "a range"}),
        ("1..", {"found": "", "expected": "a number"}),
        ("a..b", {"found": "a", "expected": "a number"}),
        ("1..2:lin", {"found": "1..2:lin", "expected": "a range"}),
        ("5..1", {"hint": "the low end must be lower"}),
        ("0..1:log", {"hint": "the low end must be above 0 for a logarithmic range"}),
    ],
)
def test_invalid_ranges_are_refused(written: Any, parts: dict[str, Any]) -> None:
    with refused(SpecError, where="range of k", **parts):
        range_of("k", written)


def test_what_the_model_names_is_fixed_however_it_is_named() -> None:
    """By place, by name in any case of letters, or as a component whose value is not the default."""
    declared = set(make("recommender", "UserKNN").ranges)
    assert "k" in declared
    for model in ("UserKNN(7)", "UserKNN(K=7)", make("recommender", "UserKNN(k=7)")):
        start, space = search_space(model, {})
        assert start == make("recommender", "UserKNN(k=7)")
        assert set(space) == declared - {"k"}


@pytest.mark.parametrize("written", ["0..1", (0, 1), (0.0, 1), Between(0, 1)])
def test_a_range_has_the_type_of_its_parameter(written: Any) -> None:
    """Whole ends do not make a real parameter whole, nor real ones a whole parameter real."""
    real = search_space("WRMF", {"alpha": written})[1]["alpha"]
    assert isinstance(real, Between) and not real.whole
    for ends in ("2..5", (2.0, 5.0)):
        whole = search_space("PureSVD", {"factors": ends})[1]["factors"]
        assert isinstance(whole, Between) and whole.whole
    assert search_space("Chi2", {"length_norm": (False, True)})[1] == {"length_norm": Among((False, True))}
