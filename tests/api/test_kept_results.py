"""Results that are sealed and make no sense are refused with a sentence by every verb over a folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.conftest import Command, heldout  # noqa: F401 - a fixture
from tests.refusals import refused

import heldout as ho
from heldout.api.kept_results import over_results
from heldout.errors import ResultsError
from heldout.experiment.ledger.part import write_part
from heldout.storage.sealed import sealed

STUDY = {
    "data": "simulate(users=40, items=20, ratings=400)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "ItemKNN(k=5)", "Random"],
    "metrics": ["P@5", "nDCG(gain=binary)@5"],
    "compare": ["t"],
}
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished folder."""
    folder = tmp_path_factory.mktemp("kept") / "results"
    ho.run(STUDY, out=folder)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it to be changed."""
    return Path(shutil.copytree(kept, tmp_path / "results"))


def change_json(path: Path, change: Change) -> None:
    """Change the object of a sealed file, and seal it anew."""
    content = json.loads(path.read_text(encoding="utf-8"))
    key = content.pop("key")
    del content["digest"]
    change(content)
    path.write_text(sealed(json.dumps(content), key), encoding="utf-8")


def change_scores(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the tables of scores, and seal them anew."""
    for path in (folder / "scores").glob("*.parquet"):
        header = json.loads(pl.read_parquet_metadata(path)["heldout"])
        write_part(change(pl.read_parquet(path)), path, header.pop("key"), header)


def swap_type(facts: dict[str, Any]) -> None:
    facts["cards"][0]["summary"] = 2


def lose_bins(facts: dict[str, Any]) -> None:
    facts["data"][0]["steps"][0]["profile"]["activity"]["counts"] = [1]


def lose_settings(facts: dict[str, Any]) -> None:
    facts["settings"] = []


def model_lost(manifest: dict[str, Any]) -> None:
    del manifest["study"]["recommend"][1]["model"]


def study_number(facts: dict[str, Any]) -> None:
    facts["manifest"]["study"]["split"] = 0


REPORTING = [["verify"], ["report"], ["report", "--html"]]
MEASURING = [["compare"], ["power", "--effect", "0.01"]]
REVIEWING = [["lint"], ["methods"]]


@pytest.mark.parametrize(
    ("file", "change", "verbs"),
    [
        ("facts.json", swap_type, [*REPORTING, *MEASURING]),
        ("facts.json", lose_bins, [["verify"], ["report", "--html"]]),
        ("facts.json", lose_settings, [["verify"], ["report"], ["lint"]]),
        ("facts.json", study_number, REVIEWING),
        ("manifest.json", model_lost, MEASURING),
    ],
)
def test_nonsense_that_is_sealed_ends_with_2(
    file: str,
    change: Change,
    verbs: list[list[str]],
    folder: Path,
    heldout: Command,  # noqa: F811
) -> None:
    change_json(folder / file, change)
    for verb, *options in verbs:
        said = heldout(verb, folder, *options)
        assert said.code == 2, (verb, said)
        assert said.err.startswith("error: ") and said.err.count("\n") == 1, (verb, said.err)
        assert "bug in Heldout" not in said.err


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.drop("length"),
        lambda frame: frame.with_columns(pl.lit("many").alias("P@5")),
        lambda frame: frame.with_columns(pl.lit(None, dtype=pl.Int64).alias("fold")),
    ],
)
def test_scores_that_are_sealed_and_no_scores(
    change: Callable[[pl.DataFrame], pl.DataFrame],
    folder: Path,
    heldout: Command,  # noqa: F811
) -> None:
    change_scores(folder, change)
    for verb, *options in MEASURING:
        said = heldout(verb, folder, *options)
        assert said.code == 2, (verb, said)
        assert "bug in Heldout" not in said.err
    assert heldout("verify", folder).code == 1  # it lists the parts that cannot be read


def test_python_raises_the_same_error(folder: Path) -> None:
    change_json(folder / "manifest.json", model_lost)
    with refused(
        ResultsError, where=str(folder), hint="run the study again; if nothing changed the files, report this"
    ) as refusal:
        ho.compare(folder)
    assert isinstance(refusal.value.__cause__, KeyError)
    change_json(folder / "facts.json", study_number)
    with refused(ResultsError, where=str(folder), hint="run the study again; if nothing changed the files, report this"):
        ho.lint(folder)


def test_failures_over_anything_else_stay_as_they_are(folder: Path, tmp_path: Path) -> None:
    @over_results
    def fail(subject: object, error: Exception) -> None:
        raise error

    for subject in (tmp_path, "x" * 9000, "a\0b", None, 5, {}):
        with pytest.raises(KeyError):
            fail(subject, KeyError("x"))
    full = OSError("full")
    with pytest.raises(OSError) as raised:
        fail(folder, full)
    assert raised.value is full
    with refused(ResultsError, where=str(folder)) as refusal:
        fail(error=KeyError("x"), subject=folder)
    assert isinstance(refusal.value.__cause__, KeyError)
