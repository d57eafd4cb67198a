"""A streamed evaluation equals the one in memory, whatever the files, their order and the pieces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.experiment.stream.sharded import evaluated, write
from tests.heavy import heavy
from tests.refusals import refused

import heldout as ho
from heldout.analysis.choices import protocol_choices
from heldout.analysis.pictures import NOT_KEPT
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs

METRICS = ["nDCG@10", "P@5", "RR", "AP", "Recall@10", "Gini@5", "ItemCoverage@5", "Entropy@3"]
OPTIONS: dict[str, Any] = {
    "relevance": "threshold(4)",
    "aggregate": ["mean", "gmean", "median", "trimmed", "pooled", "zrisk"],
    "coverage": ["zero", "forgive"],
    "undefined": ["zero", "skip"],
    "compare": {"tests": ["t", "permutation(samples=1000)", "wilcoxon", "bootstrap(samples=200)"]},
}


def _streamed(folder: Path, *, files: int, rows_at_once: int, train: bool = False, **options: Any) -> dict[str, Any]:
    """The facts of a streamed evaluation, without the manifest."""
    data = evaluated(text=options.pop("text", False))
    test = write(data.test, folder / "test", files, seed=files)
    runs = {name: write(run, folder / name, files + 1, seed=files) for name, run in data.runs.items()}
    known = {"train": write(data.train, folder / "train", files)} if train else {}
    metrics = options.pop("metrics", METRICS)
    stream = StreamOptions(scratch=folder / "scratch", rows_at_once=rows_at_once)
    keys = {"title": "Evaluation of runs", "seed": 1, **options}
    protocol, analysis, outcome = stream_runs(test, runs, metrics, options=stream, **known, **keys)
    assert list((folder / "scratch").iterdir()) == []
    facts = outcome.findings(analysis, lambda: protocol_choices(protocol)).to_dict()
    assert facts.pop("manifest")["streamed"]["files"] == files + 2 * (files + 1) + (files if train else 0)
    pictures = facts["pictures"]
    assert not pictures["precision_recall"] and not pictures["roc"] and pictures["absent"]["precision-recall"] == NOT_KEPT
    return _without_lists(facts)


def _without_lists(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts without the manifest and the pictures that need more of lists than values of users, which pieces do not keep."""
    users = [groups for groups in facts["pictures"]["groups"] if groups["by"] in ("user-activity", "warm-users")]
    kept = {"differences": facts["pictures"]["differences"], "groups": users}
    return {**{name: value for name, value in facts.items() if name != "manifest"}, "pictures": kept}


@pytest.mark.parametrize("text", [False, True])
def test_it_equals_the_evaluation_in_memory(tmp_path: Path, text: bool) -> None:
    data = evaluated(text=text)
    facts = _without_lists(ho.evaluate(data.test, data.runs, METRICS, **OPTIONS).findings.to_dict())
    assert _streamed(tmp_path / "a", files=1, rows_at_once=10**9, text=text, **OPTIONS) == facts
    assert _streamed(tmp_path / "b", files=3, rows_at_once=2500, text=text, **OPTIONS) == facts


@heavy
def test_ray_judges_the_pieces_to_the_same_numbers(tmp_path: Path, ray_engine: Any) -> None:
    here = _streamed(tmp_path / "here", files=2, rows_at_once=2500, **OPTIONS)
    assert _streamed(tmp_path / "there", files=2, rows_at_once=2500, engine=ray_engine, **OPTIONS) == here
    data = evaluated()
    with refused(SpecError, where="engine", hint="leave the engine out"):
        ho.evaluate(data.test, data.runs, ["P@5"], engine="ray")


def test_training_items_and_popularity_are_those_of_all_users(tmp_path: Path) -> None:
    data = evaluated()
    metrics = ["nDCG@10", "ARP@5", "EPC@5", "EFD@5", "PopularityLift@5", "Serendipity@5", "Recall(estimate=snips)@5"]
    runs = {name: run.filter(pl.col("user") < 300) for name, run in data.runs.items()}
    facts = _without_lists(ho.evaluate(data.test, runs, metrics, train=data.train, compare="none").findings.to_dict())
    streamed = _streamed(tmp_path, files=2, rows_at_once=4000, train=True, metrics=metrics, compare="none")
    codes = [notice for notice in streamed["notices"] if notice["code"] != "HO104"]  # A's strangers were left out above
    assert codes == facts["notices"]
    assert {**streamed, "notices": codes} == facts


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"metrics": ["AUC"]}, "leave it out, or evaluate without streaming"),
        ({"target": "TestItems"}, "use AllItems, or evaluate without streaming"),
        ({"ties": "random(3)"}, "use item, trec or expected"),
    ],
)
def test_what_does_not_merge_is_refused_by_name(tmp_path: Path, options: dict[str, Any], hint: str) -> None:
    with refused(NotApplicableError, where=next(iter(options)), hint=hint):
        _streamed(tmp_path, files=1, rows_at_once=500, **options)


def test_a_pair_in_two_files_is_named_with_both(tmp_path: Path) -> None:
    data = evaluated()
    runs = {name: write(run, tmp_path / name, 2) for name, run in data.runs.items()}
    test = write(data.test, tmp_path / "test", 2)
    data.runs["A"].filter(pl.col("user") == 7).head(1).write_parquet(tmp_path / "A" / "more.parquet")
    item = data.runs["A"].filter(pl.col("user") == 7)["item"][0]
    with refused(InputError, column="item", hint="keep one row for each pair") as refusal:
        ho.evaluate(test, runs, ["P@5"], stream={"scratch": tmp_path / "scratch"})
    assert re.search(rf"user 7 has item {item} .*\d\.parquet and .*more\.parquet", refusal.value.what)
    data.test.filter(pl.col("user") == 7).head(1).write_parquet(tmp_path / "test" / "more.parquet")
    with refused(InputError, where="1.parquet, column 'item'", hint="keep one row for each pair"):
        ho.evaluate(test, {"B": runs["B"]}, ["P@5"], stream={"scratch": tmp_path / "scratch"})
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_run_of_other_users_and_one_without_some(tmp_path: Path) -> None:
    data = evaluated()
    test = write(data.test, tmp_path / "test", 2)
    strangers = write(data.runs["A"].with_columns(pl.col("user") + 1000), tmp_path / "other", 2)
    with refused(InputError, where="other", expected="users of the test set", hint="same user ids") as refusal:
        ho.evaluate(test, {"A": strangers}, ["P@5"])
    assert "305 users" in refusal.value.what
    assert refusal.value.found in {str(user + 1000) for user in data.runs["A"]["user"]}
    few = write(data.runs["A"].filter(pl.col("user") < 3), tmp_path / "few", 2)
    results = ho.evaluate(test, {"A": few}, ["P@5"])
    assert any("A recommends nothing to 297 tested users" in notice for notice in results.notices)
