"""Study files: TOML whose shape is checked as a whole, and the schema for editors."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from heldout import read_study, schema
from heldout.errors import HeldoutError, InputError, SpecError
from heldout.study.file import misshapen, read_keys, study_from
from heldout.study.stages import KINDS_OF_STAGE
from heldout.universes.grid.file import multiverse_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def test_a_byte_order_mark_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b'\xef\xbb\xbfdata = "simulate"\n')
    assert read_keys(tmp_path / "study.toml") == {"data": "simulate"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"data = ", "is not valid TOML"),
        (b"data = '\xff'", "is not UTF-8 text"),
        (b"a = " + b"[" * 5000, "is nested too deeply|is not valid TOML"),
    ],
)
def test_what_cannot_be_read(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_keys(tmp_path / "study.toml")


def test_what_is_no_study_is_said() -> None:
    with pytest.raises(InputError, match=r"a study is a file, its keys as a dict or a Study, found list; ratings are a key"):
        read_keys([1])  # type: ignore[arg-type]


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text('data = "simulate"\nsplit = "ratoi"\nrecommend = "Popularity"\n')
    with pytest.raises(HeldoutError, match=r"study\.toml: split: .*did you mean ratio"):
        read_study(path)


def test_every_place_that_is_wrong_is_named() -> None:
    refused = misshapen({"sead": 1, "seed": "one", "recommend": ["Popularity", {"nam": "x", "model": "Random"}], 3: "x"})
    assert {place[0] for place in refused} == {3, "sead", "seed", "recommend"}
    assert "did you mean seed" in str(refused["sead",])


def test_what_is_sound_is_checked_beside_what_is_not() -> None:
    """One error tells of the unknown key and of the unknown metric."""
    with pytest.raises(SpecError) as error:
        study_from({**LEAST, "sead": 1, "metrics": "Pq@5"})
    assert "sead" in str(error.value) and "Pq" in str(error.value)


def test_a_multiverse_is_refused_unless_it_is_asked_for() -> None:
    keys = {**LEAST, "multiverse": {"seeds": [1, 2]}}
    with pytest.raises(SpecError, match="the study spans a multiverse"):
        study_from(keys)
    assert study_from(keys, partial=True).seed == 1


def test_the_schema_knows_every_stage_and_its_components() -> None:
    properties = schema()["properties"]
    assert set(KINDS_OF_STAGE) <= set(properties)
    assert any(text.startswith("nDCG(") for text in properties["metrics"]["examples"])
    assert "(decision A2)" in properties["split"]["description"]


@pytest.mark.parametrize("spelling", ["measure", "metrics", "metric", "measures"])
@pytest.mark.parametrize("filtering", ["filter", "filters"])
@pytest.mark.filterwarnings("ignore::heldout.errors.SpellingWarning")
def test_metrics_and_filters_are_read_in_any_spelling(spelling: str, filtering: str, tmp_path: Path) -> None:
    keys = {"data": "simulate(users=30, items=20, ratings=300)", "split": "ratio", "recommend": ["Popularity", "Random"]}
    expected = study_from({**keys, "metrics": ["P@5", "RR"], "filters": [["core(2)"]]})
    written = {**keys, spelling: ["P@5", "RR"], filtering: [["core(2)"]]}
    with warnings.catch_warnings(record=True) as hints:
        warnings.simplefilter("always")
        assert study_from(written) == expected
    named = {"metrics" if spelling != "metrics" else None, "filters" if filtering != "filters" else None} - {None}
    assert {str(hint.message).rpartition("write ")[2] for hint in hints} == named
    text = "\n".join(f"{key} = {json.dumps(value)}" for key, value in written.items())
    (tmp_path / "study.toml").write_text(text)
    assert read_study(tmp_path / "study.toml") == expected
    assert multiverse_from(written).study.metrics == expected.metrics


@pytest.mark.filterwarnings("ignore::heldout.errors.SpellingWarning")
def test_a_key_in_two_spellings_is_refused() -> None:
    with pytest.raises(SpecError, match="'measure' and 'metrics' are the same key; keep one of them"):
        study_from({"data": "simulate", "measure": "P@5", "metrics": "RR"})
