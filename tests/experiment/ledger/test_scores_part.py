"""Scores that are kept: read back as they were, with their curves, and missed where they are gone."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.experiment.conftest import LEAST, STUDY, content, copied

import heldout as ho
from heldout.errors import ResultsError


@pytest.mark.parametrize("change", ["gone", "edited"])
def test_curves_beside_a_part_are_missed(change: str, whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    curves = next((out / "scores").glob("*.curves.json"))
    if change == "gone":
        curves.unlink()
    else:
        curves.write_text(curves.read_text().replace("0.5", "0.6", 1))
    before = content(out)
    with pytest.raises(
        ResultsError, match=r"curves\.json: this part of the results (cannot be read|is not what was written here)"
    ) as error:
        ho.run(LEAST, out=out)
    assert ("No such file" if change == "gone" else "does not hold what was written") in str(error.value)
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
    for use in (lambda: ho.Results.load(tmp_path / "out").per_user(), lambda: ho.run(least, out=tmp_path / "out")):
        with pytest.raises(ResultsError, match="this part of the results is not what was written here") as told:
            use()
        assert str(told.value).startswith(str(part))
        assert str(told.value).endswith("delete this file and run the study again")
        assert "\n" not in str(told.value)
    part.unlink()
    assert ho.run(least, out=tmp_path / "out").leaderboard.equals(ho.run(least).leaderboard)
