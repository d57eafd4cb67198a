"""`ho.meta`: a study, a results folder or runs in, a trial of metrics out; kept, and going on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from tests.heavy import heavy
from tests.metric_quality.studies import KEYS
from tests.metric_quality.test_judged_systems import TEST, runs_of
from tests.refusals import refused

import heldout as ho
from heldout.errors import NotApplicableError, ResultsError, SpecError, UnknownNameError
from heldout.experiment.ledger import Ledger

TRIAL: dict[str, Any] = {"samples": 3, "flips": 200, "shares": [1.0, 0.5, 0.1]}
AT: dict[str, Any] = {"metrics": ["P", "nDCG"], "depths": [5, 20]}
QUICK: dict[str, Any] = {"meta": TRIAL, **AT}


def test_a_study_and_the_folder_of_its_run_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ho.run(KEYS, out=tmp_path / "run")
    of_study = ho.meta(KEYS, **QUICK)
    from heldout.recommenders import UserKNN

    monkeypatch.setattr(UserKNN, "fit", lambda *_, **__: pytest.fail("its ranks are kept"))
    monkeypatch.setattr("heldout.metric_quality.study_analysis.knows_truth", lambda study: False)  # which fits anew
    of_folder = ho.meta(tmp_path / "run", **QUICK)
    assert_frame_equal(of_study.findings.table.drop("validity_tau"), of_folder.findings.table.drop("validity_tau"))
    assert_frame_equal(of_study.findings.sweeps, of_folder.findings.sweeps)
    [data] = of_study.findings.profiles.value
    assert data == of_folder.findings.profiles.value[0] and [step.label for step in data.steps] == ["as read"]
    assert ho.meta(ho.load(tmp_path / "run"), **QUICK).verdict == of_study.verdict


@heavy
def test_ray_draws_samples_side_by_side_to_the_same_tables(ray_engine: object, tmp_path: Path) -> None:
    here, there = ho.meta(KEYS, **QUICK), ho.meta(KEYS, out=tmp_path, **QUICK, engine="ray")
    assert here.findings.table.equals(there.findings.table)
    assert here.findings.sweeps.equals(there.findings.sweeps)


def test_systems_of_ones_own_are_left_out_by_name_where_they_must_be_fitted_again(tmp_path: Path) -> None:
    class Mine:
        def fit(self, train: Any) -> Mine:
            self.items = train.n_items
            return self

        def score(self, users: Any) -> Any:
            return np.tile(np.arange(self.items, dtype=np.float32), (len(users), 1))

    ho.run(KEYS, models={"mine": Mine()}, out=tmp_path / "run")
    results = ho.meta(tmp_path / "run", target="TestItems", **QUICK)
    assert "mine" not in results.findings.trials[0].systems
    assert any(reason.startswith("mine: ") for reason in results.findings.trials[0].left_out)
    assert results.findings.trials[0].protocol["target"] == "TestItems"
    brought = ho.meta(tmp_path / "run", models={"mine": Mine()}, target="TestItems", **QUICK)
    assert brought.findings.trials[0].systems == (*results.findings.trials[0].systems, "mine")
    assert not any(reason.startswith("mine: ") for reason in brought.findings.trials[0].left_out)


def test_runs() -> None:
    results = ho.meta(qrels=TEST, runs=runs_of(9), relevance="threshold(4)", tie_orders=2, **QUICK)
    assert results.findings.trials[0].systems == ("A", "B", "C")
    assert set(results.findings.table["metric"]) == {"P@5", "P@20", "nDCG@5", "nDCG@20"}
    taus = dict(results.findings.table.select("metric", "tie_tau").rows())
    assert [taus[metric] for metric in ("P@5", "nDCG@5", "nDCG@20")] == [1.0] * 3  # scores of lists have no ties
    assert np.isnan(taus["P@20"])  # all lists hold all items: nothing orders the runs
    assert {"choices", "data", "manifest"} <= {section.id for section in results.document.appendix}
    assert "The test set is used as given" in results.to_html()


def test_what_is_kept_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ho.meta(KEYS, out=tmp_path / "trial", **QUICK)
    for name in ("discriminative_power", "robustness_to_popularity", "swap_rates"):
        monkeypatch.setattr(f"heldout.metric_quality.analysis.{name}", lambda *_, **__: pytest.fail("it is kept"))
    monkeypatch.setattr("heldout.metric_quality.robustness.sampled_means", lambda *_, **__: pytest.fail("it is kept"))
    again = ho.meta(KEYS, TRIAL | {"rule": ["missing_tau"]}, out=tmp_path / "trial", **AT)
    assert again.findings.trials[0].rule == ("missing_tau",)
    assert_frame_equal(first.findings.sweeps, again.findings.sweeps)


def test_what_makes_no_trial_is_refused(tmp_path: Path) -> None:
    with refused(SpecError, hint="or --qrels test.csv --run A=a.txt --run B=b.txt"):
        ho.meta()
    with refused(SpecError, hint="name a study, or qrels and runs"):
        ho.meta(KEYS, qrels=TEST)
    with refused(SpecError, where="seeds"):
        ho.meta(qrels=TEST, runs=runs_of(9), seeds=[2])
    with refused(NotApplicableError, where="recommend", found=1, expected="at least two"):
        ho.meta(KEYS | {"recommend": ["Popularity"]}, **QUICK)
    with refused(
        UnknownNameError,
        where="rule",
        found="power",
        hint="known: mean_p, missing_tau, popularity_tau, reliability, stability_tau",
    ):
        ho.meta(KEYS, {"rule": ["power"]})
    ho.run(KEYS, out=tmp_path / "run")
    with refused(ResultsError, where=str(tmp_path / "run"), hint="choose another --out"):
        ho.meta(KEYS, out=tmp_path / "run")


def test_several_protocols_stand_below_one_another() -> None:
    results = ho.meta(KEYS, target=["AllItems", "TestRatings"], **QUICK)
    assert results.findings.labels == ["AllItems", "TestRatings"]
    assert results.sentences[1].startswith("TestRatings: nDCG@20 has the lowest mean p")
    assert results.findings.table.columns[0] == "target"
    assert results.findings.table.group_by("target").len().sort("target")["len"].to_list() == [4, 4]
    assert isinstance(results.findings.agreement, pl.DataFrame)


def test_a_changed_stage_is_refused(tmp_path: Path) -> None:
    ho.meta(KEYS, out=tmp_path / "trial", **QUICK)
    path = next((tmp_path / "trial" / "stages").glob("swaps-*.json"))
    path.write_text(path.read_text().replace("rate", "Rate"))
    with refused(
        ResultsError,
        where=".json",
        hint="delete this file, and run the same command again",
    ):
        ho.meta(KEYS, out=tmp_path / "trial", **QUICK)
    assert Ledger(tmp_path / "trial").earlier()["complete"] is False


def test_sampling_and_popularity_by_argument_study_and_folder(tmp_path: Path) -> None:
    own, at = TRIAL | {"sampling": "user", "popularity": "train"}, AT
    by_argument, by_study = (
        ho.meta(KEYS, TRIAL | {"sampling": "user", "popularity": "train"}, **AT),
        ho.meta(KEYS | {"meta": own}, **at),
    )
    assert_frame_equal(by_argument.findings.sweeps, by_study.findings.sweeps)
    assert by_argument.manifest["trial"] == by_study.manifest["trial"]
    assert by_argument.manifest["trial"]["sampling"] == "user" and by_argument.manifest["trial"]["popularity"] == "train"
    plain = ho.meta(KEYS, **QUICK)
    for sweep in ("missing ratings", "popularity"):
        first, second = (r.findings.sweeps.filter(sweep=sweep)["tau"].to_list() for r in (plain, by_argument))
        assert first != second
    ho.run(KEYS | {"meta": own}, out=tmp_path / "run")
    assert_frame_equal(ho.meta(tmp_path / "run", **at).findings.sweeps, by_study.findings.sweeps)
    replaced = ho.meta(KEYS | {"meta": own}, {"sampling": "all", "popularity": "all"}, **at)
    assert_frame_equal(replaced.findings.sweeps, plain.findings.sweeps)
    for text in (by_study.to_html(), by_study.to_markdown(), by_study.tables["metrics"].to_latex()):
        assert "user" in text and "counted over the training ratings" in text
    assert "counted over training and test together" in plain.to_markdown()
    with refused(SpecError, where="meta: shares", expected="above 0 and at most 1"):
        ho.meta(KEYS | {"meta": {"shares": [2.0]}}, **at)
    with refused(SpecError, where="popularity", hint="name it (train=…, --train) or count all ratings (all)"):
        ho.meta(meta=TRIAL | {"popularity": "train"}, qrels=TEST, runs=runs_of(9), relevance="threshold(4)", **AT)


def test_an_evaluation_is_tried_only_as_deep_as_its_lists(tmp_path: Path) -> None:
    """Lists of 7 items: the default depths end at 5; a depth that is named is tried all the same."""
    paths = {}
    for name, run in runs_of(7).items():
        rows = [(user, item, 7 - k) for user, items in run.items() for k, item in enumerate(items)]
        paths[name] = tmp_path / f"{name}.csv"
        pl.DataFrame(rows, schema=["user_id", "item_id", "score"], orient="row").write_csv(paths[name])
    test = [(user, item, rating) for user, ratings in TEST.items() for item, rating in ratings.items()]
    pl.DataFrame(test, schema=["user_id", "item_id", "rating"], orient="row").write_csv(tmp_path / "test.csv")
    ho.evaluate(tmp_path / "test.csv", paths, "P@5", relevance="threshold(4)", out=tmp_path / "runs")
    by_default = ho.meta(tmp_path / "runs", TRIAL, metrics=["P", "nDCG"])
    assert set(by_default.findings.table["metric"]) == {"P@5", "nDCG@5"}
    assert any("@10, @20" in reason and "end at rank 7" in reason for reason in by_default.findings.trials[0].left_out)
    named = ho.meta(tmp_path / "runs", TRIAL, metrics=["P", "nDCG"], depths=[5, 20])
    assert set(named.findings.table["metric"]) == {"P@5", "P@20", "nDCG@5", "nDCG@20"}


def test_keys_of_the_table_are_checked_and_old_parameters_name_it() -> None:
    with pytest.raises(UnknownNameError) as unknown:
        ho.meta(KEYS, {"sample": 3})  # type: ignore[typeddict-unknown-key]
    assert unknown.value.where == "meta" and unknown.value.near[0] == "samples"
    with pytest.raises(SpecError) as moved:
        ho.meta(KEYS, **{"samples": 3})
    assert moved.value.where == "samples" and 'meta={"samples": …}' in moved.value.hint
