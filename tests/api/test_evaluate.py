"""Ids of judgements and runs join whatever they are written as."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from polars import Float64
from tests.refusals import refused

import heldout as ho

# Ids


def rr(qrels: Any, run: Any) -> list[float]:
    return ho.evaluate(qrels, {"A": run}, ["RR"]).per_user().sort("user_id")["RR"].to_list()


def test_numbers_join_with_their_texts() -> None:
    # Users 1 and 2 like item 7. The run puts it second for user 1 and first for user 2.
    numbers = ([1, 2], [7, 7], [5, 5])
    texts = (["1", "2"], ["7", "7"], [5, 5])
    for qrels in (numbers, texts):
        assert rr(qrels, ([1, 1, 2], [8, 7, 7], [2.0, 1.0, 1.0])) == [0.5, 1.0]
        assert rr(qrels, (["1", "1", "2"], ["8", "7", "7"], [2.0, 1.0, 1.0])) == [0.5, 1.0]
        assert rr(qrels, ([1, 1, 2], ["b8", "7", "7"], [2.0, 1.0, 1.0])) == [0.5, 1.0]  # one text makes all of them texts
        assert rr(qrels, (np.array([1, 1, 2], np.uint8), ["8", "7", "7"], [2.0, 1.0, 1.0])) == [0.5, 1.0]


def test_another_spelling_is_another_id() -> None:
    numbers = ([1, 2], [7, 7], [5, 5])
    # "007" is not 7: for user 1 the relevant item is not in the list at all.
    assert rr(numbers, ([1, 1, 2], ["007", "8", "7"], [2.0, 1.0, 1.0])) == [0.0, 1.0]
    assert rr((["1", "2"], ["007", "7"], [5, 5]), ([1, 2], [7, 7], [1.0, 1.0])) == [0.0, 1.0]
    for strange in ("+7", "7.0", " 7", "-0"):
        assert rr(numbers, ([1, 2], [strange, "7"], [1.0, 1.0])) == [0.0, 1.0]
    with refused(ho.InputError, file="A", found="01", expected="users of the test set", hint="same user ids") as refusal:
        rr(numbers, (["01", "02"], ["7", "7"], [1.0, 1.0]))
    assert "2 users" in refusal.value.what


def test_training_ids_join_too() -> None:
    found = ho.evaluate(
        ([1, 2], [7, 7], [5, 5]),
        {"A": ([1, 1, 2], [8, 7, 7], [2.0, 1.0, 1.0])},
        ["RR"],
        train=(["1", "2"], ["8", "9"], [1, 1]),
    )
    board = found.tables["all-leaderboards"].frame
    assert board["value"].to_list() == [1.0]  # item 8 was user 1's in training, and is no target
    assert [n.code for n in found.findings.notices][:2] == ["HO106", "HO101"]


def test_ids_that_are_neither_are_refused() -> None:
    with refused(ho.InputError, column="user", found=Float64, expected="whole numbers or texts as ids"):
        ho.read({"user": [1.5, 2.0], "item": [1, 2]})
    with refused(ho.InputError, row=2, column="item", found=None, expected="an item id"):
        ho.read({"user": ["a", "b"], "item": ["x", None]})


# How runs are compared

TEST = {"user": [1, 2, 3, 4], "item": [7, 7, 7, 8], "rating": [5, 5, 5, 5]}
RUNS = {"A": {u: [7, 8] for u in (1, 2, 3, 4)}, "B": {u: [8, 7] for u in (1, 2, 3, 4)}, "C": {u: [7] for u in (1, 2, 3, 4)}}


def test_runs_are_compared_by_the_table_of_a_study() -> None:
    table: dict[str, Any] = {"tests": "sign", "correction": "bonferroni", "level": 0.1, "baseline": "B"}
    pairs = ho.evaluate(TEST, RUNS, "P@1", compare=table).tables["all-comparisons"].frame
    assert pairs["test"].unique().to_list() == ["sign"] and len(pairs) == 2
    assert ho.compare(ho.evaluate(TEST, RUNS, "P@1"), table).tables["all-comparisons"].frame.equals(pairs)
    tests = ho.evaluate(TEST, RUNS, "P@1", compare="sign").tables["all-comparisons"].frame
    assert tests.equals(ho.evaluate(TEST, RUNS, "P@1", compare={"tests": "sign"}).tables["all-comparisons"].frame)


@pytest.mark.parametrize(
    ("old", "instead"),
    [
        ({"test": "t"}, 'compare={"tests": "wilcoxon", "level": 0.01}'),
        ({"level": 0.1}, 'compare={"level": …}'),
        ({"baseline": "A"}, 'compare={"baseline": …}'),
        ({"scratch": "/large"}, 'stream={"scratch": …}'),
    ],
)
def test_an_old_parameter_names_the_new_one(old: dict[str, Any], instead: str) -> None:
    with pytest.raises(ho.SpecError) as error:
        ho.evaluate(TEST, RUNS, "P@1", **old)
    assert error.value.where == next(iter(old)) and instead in error.value.hint


def test_options_of_streaming_and_of_comparing_are_checked() -> None:
    with pytest.raises(ho.UnknownNameError) as error:
        ho.evaluate(TEST, RUNS, "P@1", stream={"scrach": "/large"})  # type: ignore[typeddict-unknown-key]
    assert error.value.where == "stream" and error.value.near == ["scratch"]
    with pytest.raises(ho.UnknownNameError) as error:
        ho.compare(ho.evaluate(TEST, RUNS, "P@1"), {"levels": 0.1})  # type: ignore[typeddict-unknown-key]
    assert error.value.where == "compare" and error.value.near == ["level"]


# Folders

TWENTY_USERS = {f"u{u}": {f"i{i}": 1 + (u * i) % 5 for i in range(6)} for u in range(20)}
TWO_RUNS = {
    name: {user: {f"i{i}": float((k * i + u) % 7) for i in range(8)} for u, user in enumerate(TWENTY_USERS)}
    for k, name in enumerate("AB", 1)
}
JUDGED: dict[str, Any] = {"metrics": ["nDCG(gain=binary)@3", "P@2"], "relevance": "threshold(4)"}


def test_a_folder_keeps_the_values_of_users(tmp_path: Path) -> None:
    results = ho.evaluate(TWENTY_USERS, TWO_RUNS, **JUDGED, out=tmp_path / "kept")
    loaded = ho.load(tmp_path / "kept")
    assert loaded.per_user().equals(results.per_user()) and loaded.findings.to_dict() == results.findings.to_dict()
    again = ho.compare(tmp_path / "kept", "wilcoxon")
    assert again.tables["all-comparisons"].frame.equals(ho.compare(results, "wilcoxon").tables["all-comparisons"].frame)
    assert ho.power(tmp_path / "kept", 0.1, metric="P@2").equals(ho.power(results, 0.1, metric="P@2"))
    assert ho.verify(tmp_path / "kept")["problem"].unique().to_list() == [""]


class Killed(BaseException):
    """The end of a process, which nothing expects."""


@pytest.mark.parametrize("stop", [Killed(), OSError(errno.ENOSPC, "No space left on device")], ids=["killed", "disk full"])
def test_an_evaluation_that_was_stopped_can_be_given_again(
    stop: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at each of the files that it writes, the same call writes the folder that it would have written."""
    whole = ho.evaluate(TWENTY_USERS, TWO_RUNS, **JUDGED, out=tmp_path / "whole").findings.to_dict()
    rename, renamed, last = os.replace, 0, 0

    def stopping(*names: Any) -> None:
        nonlocal renamed
        renamed += 1
        if renamed == last:
            raise stop
        rename(*names)

    while True:
        last, renamed, folder = last + 1, 0, tmp_path / f"stopped-{last}"
        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", stopping)
            try:
                ho.evaluate(TWENTY_USERS, TWO_RUNS, **JUDGED, out=folder)
                break
            except (Killed, ho.ResultsError):
                pass
        if folder.exists():
            with refused(ho.ResultsError, where=str(folder), hint="run the same command again: it goes on where it stopped"):
                ho.load(folder)
        again = ho.evaluate(TWENTY_USERS, TWO_RUNS, **JUDGED, out=folder)
        assert again.findings.to_dict() == whole and ho.verify(folder)["problem"].unique().to_list() == [""]
        with refused(
            ho.ResultsError, where=str(folder), hint="choose another --out, delete the folder, or show what it holds"
        ):
            ho.evaluate(TWENTY_USERS, TWO_RUNS, **JUDGED, out=folder)
    assert last > 6
