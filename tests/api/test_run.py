"""`run` in Python."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.api.test_results import STUDY
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError


def test_one_system_is_not_compared() -> None:
    results = ho.run({**STUDY, "recommend": "Popularity"})
    assert results.tables["all-comparisons"].frame.is_empty()
    assert results.tables["all-leaderboards"].frame["rank"].to_list() == [1, 1, 1, 1]
    assert results.verdict
    assert repr(results)
    assert results.tables["leaderboard"].to_latex()
    assert results.to_html()


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ho.run({**STUDY, "recommend": "Popularity"}, out=tmp_path / "out")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")


@pytest.mark.parametrize("verb", ["run", "multiverse", "plan", "meta", "bias", "truth", "lint", "methods", "tune"])
def test_ratings_are_no_study(verb: str) -> None:
    ratings = pl.DataFrame({"user": [1], "item": [1]})
    with refused(InputError, found="DataFrame", expected="a study", hint='{"data": ratings,'):
        getattr(ho, verb)(*(["EASE"] if verb == "tune" else []), ratings)


def test_a_study_is_a_file_a_dictionary_or_a_study(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'data = "simulate(users=30, items=20, ratings=300)"\nsplit = "ratio"\nrecommend = "Popularity"\nmetrics = "P@5"\n'
    )
    study = ho.read_study(tmp_path / "study.toml")
    found = [
        ho.run(s).tables["all-leaderboards"].frame
        for s in (tmp_path / "study.toml", str(tmp_path / "study.toml"), study, dict(study.keys))
    ]
    assert all(board.equals(found[0]) for board in found)
