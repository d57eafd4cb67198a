"""Parts are trusted for what they hold, not for their names: swapped, edited or missing files are told of, not shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.experiment.conftest import LEAST, copied
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger


def swap(folder: Path) -> list[Path]:
    """Exchange the first two files of a folder."""
    one, other = sorted(folder.glob("*.parquet"))[:2]
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return [one, other]


def problems(out: Path) -> dict[str, str]:
    return {file: problem for file, problem in ho.verify(out).iter_rows() if problem}


def test_a_folder_that_nobody_touched_is_right(whole: Path) -> None:
    checked = ho.verify(whole)
    assert checked["problem"].to_list() == [""] * checked.height
    files = {str(p.relative_to(whole)) for p in whole.rglob("*") if p.is_file()}
    beside = {name for name in files if name.endswith(".curves.json")} | {"index.sqlite"}
    assert set(checked["file"]) == files - beside


def test_swapped_ranks_are_refused(whole: Path, tmp_path: Path) -> None:
    """Random must not be shown with Popularity's values, whatever is measured anew from their ranks."""
    out = copied(whole, tmp_path)
    swapped = swap(out / "ranks")
    asked = {**LEAST, "metrics": ["Recall@5", "UROC"]}
    with refused(ResultsError, where=str(out / "ranks"), hint="delete this file and run the study again") as refusal:
        ho.run(asked, out=out)
    assert "under another name" in refusal.value.what
    assert "of Popularity" in refusal.value.what or "of Random" in refusal.value.what
    assert set(problems(out)) == {"manifest.json", *(str(p.relative_to(out)) for p in swapped)}
    assert problems(out)["manifest.json"].startswith("the run did not finish")
    for path in swapped:
        path.unlink()
    assert ho.run(asked, out=out).tables["all-leaderboards"].frame.equals(ho.run(asked).tables["all-leaderboards"].frame)


def test_swapped_scores_are_refused(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    swapped = swap(out / "scores")
    assert set(problems(out)) == {str(p.relative_to(out)) for p in swapped}
    for work in (lambda: ho.compare(out), ho.load(out).per_user, lambda: ho.run(LEAST, out=out)):
        with refused(ResultsError, where=".parquet", hint="delete this file and run the study again"):
            work()


EDITS: dict[str, Callable[[str], str]] = {
    "a digit": lambda text: text.replace("0.", "1.", 1),
    "spaces": lambda text: json.dumps(json.loads(text), indent=1),
    "the key": lambda text: text.replace('{"key": "', '{"key": "0', 1),
    "a blank at the end": lambda text: text + " ",
    "cut": lambda text: text[: len(text) // 2],
    "no text": lambda _: "",
    "a list": lambda text: f"[{text}]",
    "types": lambda text: json.dumps(dict.fromkeys(json.loads(text), 3)),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_facts_are_refused(edit: str, whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    path = out / "facts.json"
    path.write_text(EDITS[edit](path.read_text()))
    with refused(ResultsError, where=str(path), hint="run the study again: what it kept is not computed anew"):
        ho.load(out)
    assert set(problems(out)) == {"facts.json"}
    if edit == "cut":
        ho.run(LEAST, out=out)
        assert problems(out) == {}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_manifests_are_refused(edit: str, whole: Path, tmp_path: Path) -> None:
    """Wrong types, swapped keys of parts: no edit gets as far as to be taken for what was run."""
    out = copied(whole, tmp_path)
    path = out / "manifest.json"
    path.write_text(EDITS[edit](path.read_text()))
    for work in (ho.load, Ledger, lambda folder: ho.run(LEAST, out=folder), ho.lint, ho.methods):
        with refused(ResultsError, where="manifest.json", hint="delete the folder, and run the study again"):
            work(out)
    assert set(problems(out)) == {"manifest.json"}


def test_facts_of_another_run_are_not_shown(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    ho.run({**LEAST, "seed": 2}, out=tmp_path / "other", threads=1)
    (out / "facts.json").write_bytes((tmp_path / "other" / "facts.json").read_bytes())
    with refused(ResultsError, where=str(out), hint="run the same command again: it goes on where it stopped"):
        ho.load(out)
    assert problems(out)["facts.json"].startswith("is of other parts than the manifest names")


def test_the_folder_of_a_multiverse(tmp_path: Path) -> None:
    asked = {**LEAST, "metrics": ["P@5"], "split": ["ratio(train=0.7, by=user)", "ratio(train=0.6, by=user)"]}
    ho.multiverse(asked, out=tmp_path)
    assert problems(tmp_path) == {}
    swapped = swap(tmp_path / "universes")
    path = tmp_path / "multiverse.json"
    path.write_text(path.read_text().replace("1", "2", 1))
    with refused(ResultsError, where="multiverse.json", hint="run the study again: what it kept is not computed anew"):
        ho.load(tmp_path)
    universes = tmp_path / "universes.parquet"
    universes.write_bytes(swapped[0].read_bytes())
    assert set(problems(tmp_path)) == {"multiverse.json", "universes.parquet", *(f"universes/{p.name}" for p in swapped)}
    with refused(ResultsError, where=".parquet", hint="delete this file and run the study again"):
        ho.multiverse(asked, out=tmp_path)
