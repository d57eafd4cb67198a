"""Results folders whose parts are damaged, swapped or cut: refused by a sentence, made anew, or the same results."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.kit import Refused, damaged, entries, examples, outcome

import heldout as ho
from heldout.storage.sealed import sealed

STUDY = {
    "data": "simulate(users=40, items=20, ratings=400)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "ItemKNN(k=5)", "Random"],
    "metrics": ["P@5", "nDCG(gain=binary)@5"],
    "compare": ["t"],
}
JUNK: list[Any] = [None, True, -1, 10**30, 1.5, "", "\x1b[31m", "x" * 5000, [], {}, [[[]]], {"a": None}]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, list[dict[str, Any]]]:
    """A folder, its facts, and its leaderboard."""
    folder = tmp_path_factory.mktemp("kept") / "results"
    results = ho.run(STUDY, out=folder)
    return folder, results.findings.to_dict(), results.tables["all-leaderboards"].frame.to_dicts()


def files(folder: Path) -> list[Path]:
    return sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())


def with_junk(draw: st.DrawFn, content: bytes) -> bytes:
    """JSON in which one value is replaced by one of another type, or any file with some bytes damaged."""
    try:
        whole = json.loads(content)
        places: list[tuple[Any, Any]] = []
        todo = [whole]
        while todo:
            inner = todo.pop()
            keys = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else []
            places += [(inner, key) for key in keys]
            todo += [inner[key] for key in keys]
        holder, key = draw(st.sampled_from(places))
        holder[key] = draw(st.sampled_from(JUNK))
        return json.dumps(whole).encode()
    except (ValueError, IndexError):
        return draw(damaged(content, tokens=[b"\x00", b"{}", b"PAR1", b"\xff"]))


def harm(data: st.DataObject, folder: Path) -> str:
    """Damage, swap, empty, lose or replace parts of a folder; what was done to which."""
    parts = files(folder)
    how = data.draw(st.sampled_from(("damage", "damage", "swap", "empty", "lose", "replace", "junk", "junk")))
    one, other = folder / data.draw(st.sampled_from(parts)), folder / data.draw(st.sampled_from(parts))
    if how == "swap":
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)
    elif how == "empty":
        one.write_bytes(b"")
    elif how == "lose":
        one.unlink()
    elif how == "replace":
        one.write_bytes(other.read_bytes())
    elif how == "junk":
        one = folder / data.draw(st.sampled_from([p for p in parts if p.suffix == ".json"]))
        one.write_bytes(data.draw(st.composite(with_junk)(one.read_bytes())))
    else:
        one.write_bytes(data.draw(damaged(one.read_bytes(), tokens=[b"\x00", b"\xff" * 9, b"1"])))
    return f"{how} {one.relative_to(folder)} {other.relative_to(folder)}"


def of_settings(facts: dict[str, Any]) -> dict[str, Any]:
    """What facts say of systems: values, pairs, the verdict."""
    return {key: value for key, value in facts.items() if key not in ("provenance", "manifest", "seconds", "history")}


@examples(60)
@given(data=st.data())
def test_damaged_folders_are_not_believed(data: st.DataObject, kept: tuple[Path, Any, list[dict[str, Any]]]) -> None:
    whole, facts, board = kept
    with TemporaryDirectory() as place:
        folder = Path(place) / "results"
        shutil.copytree(whole, folder)
        done = harm(data, folder)
        before = entries(folder)
        shown = outcome("results folders, shown", lambda: ho.load(folder).findings.to_dict())
        assert isinstance(shown, Refused) or of_settings(shown) == of_settings(facts), done
        again = outcome("results folders, compared", lambda: ho.compare(folder).tables["all-leaderboards"].frame.to_dicts())
        assert isinstance(again, Refused) or again == board, done
        assert entries(folder) == before, f"{done}: reading left something"


@examples(12)
@given(data=st.data())
def test_damaged_folders_are_mended_by_the_same_run(
    data: st.DataObject, kept: tuple[Path, Any, list[dict[str, Any]]]
) -> None:
    whole, _, board = kept
    with TemporaryDirectory() as place:
        folder = Path(place) / "results"
        shutil.copytree(whole, folder)
        done = harm(data, folder)
        again = outcome(
            "results folders, run again", lambda: ho.run(STUDY, out=folder).tables["all-leaderboards"].frame.to_dicts()
        )
        if not isinstance(again, Refused):
            assert again == board, done
            assert entries(folder) <= entries(whole) | {"failures"}, done


@examples(40)
@given(data=st.data())
def test_sealed_nonsense_is_refused_or_shown(data: st.DataObject, kept: tuple[Path, Any, list[dict[str, Any]]]) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place) / "results"
        shutil.copytree(kept[0], folder)
        path = folder / data.draw(st.sampled_from(("facts.json", "manifest.json")))
        content = json.loads(data.draw(st.composite(with_junk)(path.read_bytes())))
        key = json.loads(path.read_bytes())["key"]
        inner = {name: value for name, value in content.items() if name not in ("key", "digest")}
        path.write_text(sealed(json.dumps(inner), key), encoding="utf-8")
        outcome("sealed folders, verified", lambda: ho.verify(folder))
        outcome("sealed folders, reviewed", lambda: ho.lint(folder).to_markdown())
        outcome("sealed folders, described", lambda: ho.methods(folder).to_markdown())
        outcome("sealed folders, compared", lambda: ho.compare(folder).tables["all-leaderboards"].frame)
        outcome("sealed folders, planned", lambda: ho.power(folder, 0.01))
