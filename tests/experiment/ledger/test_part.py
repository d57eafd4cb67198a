"""Parts know their key and their bytes."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.experiment.conftest import LEAST, STUDY, content, copied
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger
from heldout.experiment.ledger.part import read_header, write_part
from heldout.storage.results_files import ChangedPartError


def test_every_changed_byte_of_a_part_is_noticed(whole: Path, tmp_path: Path) -> None:
    """Thirty bytes all over a file: a changed one is not read as results."""
    out = copied(whole, tmp_path)
    part = next((out / "scores").glob("*.parquet"))
    good, key = part.read_bytes(), part.stem
    unchanged = Ledger(out).load(key)
    for at in range(0, len(good), len(good) // 30):
        part.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        with refused(ResultsError, where=str(part), hint="delete this file and run the study again"):
            Ledger(out).load(key)
    part.write_bytes(good)
    assert [s.digest for s in Ledger(out).load(key).scores] == [s.digest for s in unchanged.scores]


def test_parts_know_their_key_and_their_bytes(tmp_path: Path) -> None:
    """Whichever byte is changed, added or cut off, the part is refused before a reader of Parquet sees it."""
    frame = pl.DataFrame({"a": [1, None, 3], "b": ["x", "x", None], "c": [0.5, float("nan"), 1.0]})
    path = tmp_path / "t.parquet"
    write_part(frame, path, "k", {"about": {"system": "A"}, "text": "heldout.seal é"})
    assert read_header(path, "k") == {"about": {"system": "A"}, "text": "heldout.seal é", "key": "k"}
    assert pl.read_parquet(path).equals(frame, null_equal=True)
    with pytest.raises(ChangedPartError, match="k of A"):
        read_header(path, "other")
    good = path.read_bytes()
    changed = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    for damaged in (*changed, good[:-1], good[: len(good) // 2], good + b"x", b"", b"PAR1"):
        path.write_bytes(damaged)
        with pytest.raises(ChangedPartError):
            read_header(path, "k")
    write_part(frame, path, "k", {"about": {"system": "A"}, "text": "heldout.seal é"})
    assert path.read_bytes() == good


@pytest.mark.parametrize("change", ["gone", "edited"])
def test_curves_beside_a_part_are_missed(change: str, whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    curves = next((out / "scores").glob("*.curves.json"))
    if change == "gone":
        curves.unlink()
    else:
        curves.write_text(curves.read_text().replace("0.5", "0.6", 1))
    before = content(out)
    with refused(ResultsError, where=str(curves), hint="delete this file and run the study again"):
        ho.run(LEAST, out=out)
    assert {k: v for k, v in content(out).items() if k.startswith("scores")} == {
        k: v for k, v in before.items() if k.startswith("scores")
    }


@pytest.mark.parametrize("damage", ["cut", "empty", "other"])
def test_damaged_parts_are_named(damage: str, tmp_path: Path) -> None:
    least = {**STUDY, "recommend": "Popularity"}
    ho.run(least, out=tmp_path / "out")
    (part,) = (tmp_path / "out" / "scores").iterdir()
    if damage == "other":
        pl.DataFrame({"a": [1]}).write_parquet(part)
    else:
        part.write_bytes(part.read_bytes()[: 100 if damage == "cut" else 0])
    for use in (lambda: ho.load(tmp_path / "out").per_user(), lambda: ho.run(least, out=tmp_path / "out")):
        with refused(ResultsError, where=str(part), hint="delete this file and run the study again") as refusal:
            use()
        assert "\n" not in str(refusal.value)
    part.unlink()
    again, anew = ho.run(least, out=tmp_path / "out"), ho.run(least)
    assert again.tables["all-leaderboards"].frame.equals(anew.tables["all-leaderboards"].frame)
