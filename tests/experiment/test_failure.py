"""One failing recommender does not end a study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.experiment.conftest import LABEL, SMALL
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError, SystemsFailedError, UnknownNameError
from heldout.experiment.ledger.index import Index
from heldout.experiment.ledger.manifest import read_manifest

pytestmark = pytest.mark.usefixtures("doomed")


def scored(value: float) -> Any:
    return lambda train, users: np.full((len(users), train.n_items), value)


def breaks(train: Any, users: Any) -> Any:
    raise RuntimeError("the model broke\nin two lines")


REASONS = {
    "raises": ("", "fit: ZeroDivisionError: division by zero"),
    "memory": ("", "fit: memory ran out (MemoryError: no room for 80 GB)"),
    "unfit": ("", "fit: the ratings have no times"),
    "breaks": (breaks, "score: RuntimeError: the model broke in two lines"),
    "nothing": (scored(float("nan")), "score: it scored no item of any tested user (NaN only)"),
}


@pytest.mark.parametrize("way", list(REASONS))
def test_a_failing_system_is_left_out_and_told_of(way: str, tmp_path: Path, doomed: Any) -> None:
    model, reason = REASONS[way]
    model = model or doomed(way)
    results = ho.run(SMALL, models={"mine": model}, out=tmp_path / "out")
    assert results.failed == {f"{LABEL} | mine": reason}
    assert results.findings.systems == ("Popularity", "Random")
    assert results.verdict.endswith(f"mine failed and is left out: {reason}.")
    assert ho.compare(results, "sign").verdict.endswith(f"mine failed and is left out: {reason}.")
    assert results.tables["all-leaderboards"].frame.equals(ho.run(SMALL).tables["all-leaderboards"].frame)
    manifest = read_manifest(tmp_path / "out")
    assert manifest["complete"] is True
    assert manifest["failed"] == results.failed
    assert not any(cell.endswith("mine") for cell in manifest["parts"])
    loaded = ho.load(tmp_path / "out")
    assert loaded.failed == results.failed
    notice = next(n for n in loaded.findings.notices if n.code == "HO107")
    assert notice.message == f"mine failed and is left out ({reason})"
    assert "mine failed and is left out" in loaded.to_html()
    assert "mine failed and is left out" in " ".join(repr(loaded).split())
    (row,) = Index(tmp_path / "out").failures()
    assert row[:3] == (f"{LABEL} | mine", "mine", 0)
    assert ("Traceback" in row[4]) == (way != "nothing")
    assert ho.compare(loaded, "sign").findings.systems == ("Popularity", "Random")


def test_what_failed_is_tried_again_and_nothing_else(tmp_path: Path) -> None:
    study = {**SMALL, "split": "folds(2, by=rating)"}
    calls = []

    def second_fold_fails(train: Any, users: Any) -> Any:
        calls.append(len(train))
        if len(calls) > 2:  # two tiles of users in each fold
            raise RuntimeError("too late")
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    once = ho.as_recommender("mine", second_fold_fails, version="1")
    results = ho.run(study, models={"mine": once}, out=tmp_path / "out")
    assert list(results.failed.values()) == ["score: RuntimeError: too late"]
    assert results.findings.systems == ("Popularity", "Random")
    mended = ho.as_recommender(
        "mine", lambda train, users: np.tile(train.item_counts.astype(float), (len(users), 1)), version="1"
    )
    again = ho.run(study, models={"mine": mended}, out=tmp_path / "out")
    assert again._source is not None
    assert again.failed == {}
    assert again._source.manifest["reused"] == "scores of 5 of 6 cells reused; mine fitted: it failed before"
    assert Index(tmp_path / "out").failures() == []
    board = again.tables["all-leaderboards"].frame.drop("rank", "group")
    assert board.filter(system="mine").drop("system").equals(board.filter(system="Popularity").drop("system"))


def test_a_baseline_that_fails_is_no_baseline(tmp_path: Path, doomed: Any) -> None:
    study = {**SMALL, "compare": {"tests": ["t"], "baseline": "mine"}, "recommend": ["Popularity", "Random", "UserKNN(k=5)"]}
    results = ho.run(study, models={"mine": doomed()}, out=tmp_path / "out")
    assert len(results.findings.comparisons) == 3
    notice = next(n for n in results.findings.notices if n.code == "HO107")
    assert notice.message.endswith("; it was the baseline, so all pairs of the others are compared")
    assert len(ho.compare(ho.load(tmp_path / "out"), "sign").findings.comparisons) == 3


def test_where_all_fail_there_is_no_result(tmp_path: Path, doomed: Any) -> None:
    with refused(SystemsFailedError, where="Doomed") as refusal:
        ho.run({**SMALL, "recommend": ["Doomed"]})
    assert refusal.value.reasons == {"Doomed": "fit: ZeroDivisionError: division by zero"}
    assert isinstance(refusal.value.__cause__, ZeroDivisionError)
    alone = {key: value for key, value in SMALL.items() if key != "recommend"}
    with refused(SystemsFailedError, where="recommend") as refusal:
        ho.run(alone, models={"a": doomed(), "b": breaks}, out=tmp_path / "out")
    assert refusal.value.exit_code == 3
    assert {name: reason.partition(":")[0] for name, reason in refusal.value.reasons.items()} == {"a": "fit", "b": "score"}
    assert read_manifest(tmp_path / "out")["complete"] is False
    assert len(read_manifest(tmp_path / "out")["failed"]) == 2


def test_errors_of_the_study_itself_end_it_at_once(tmp_path: Path) -> None:
    with pytest.raises(ho.NotApplicableError):
        ho.run({**SMALL, "target": "OnePlusRandom(5000)"}, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Processes


def test_engines_that_there_are_not() -> None:
    with refused(UnknownNameError, where="engine", hint="did you mean ray?"):
        ho.run({**SMALL, "engine": "rey"})
    with refused(SpecError, where="engine", found="processes", hint='use engine = "ray"'):
        ho.run({**SMALL, "engine": "processes"})
    with refused(SpecError, where="address", found="auto", hint="--engine ray"):
        ho.run(SMALL, address="auto")


def test_the_command_ends_with_code_3(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from heldout.cli.app import run_command

    study = tmp_path / "study.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in SMALL.items()]
    study.write_text("\n".join(lines).replace('"Random"', '"Random", "Doomed"') + "\n")
    out = tmp_path / "out"
    for options, words in ((["-q"], ""), ([], "scores of 2 of 3 cells reused; Doomed failed: ZeroDivisionError")):
        monkeypatch.setattr("sys.argv", ["heldout", "run", str(study), "-o", str(out), *options])
        with pytest.raises(SystemExit) as ended:
            run_command()
        assert ended.value.code == 3
        said = capfd.readouterr()
        assert f"failed: {LABEL} | Doomed: fit: ZeroDivisionError: division by zero" in said.err
        assert words in said.err
        assert "Traceback" not in said.err
    assert "HO107" in said.out


def test_a_model_that_writes_to_its_training_ratings_is_told_in_words() -> None:
    class Writes:
        def fit(self, train: Any) -> None:
            train.value[:] = 0

        def score(self, users: Any) -> Any:
            return users

    with refused(SystemsFailedError, where="Writes") as refusal:
        ho.fit(Writes(), {"user": [1, 2], "item": [1, 2], "rating": [1, 2]})
    assert "change train.value.copy()" in refusal.value.reasons["Writes"]
