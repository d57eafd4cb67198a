"""Kinds of results that other packages declare: loaded, reported, verified and listed as ours are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.api.kinds.kind import KINDS, known_kinds
from heldout.errors import ComponentWarning
from heldout.web.summaries import kind_labels, study_summary

MODULE = """
from dataclasses import dataclass

import polars as pl
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.experiment.ledger import Ledger
from heldout.reports.document import Document, Text


@dataclass(frozen=True)
class Weather:
    days: tuple[str, ...]

    @property
    def table(self):
        return pl.DataFrame({"day": self.days})


class WeatherKind(Kind):
    name, label, file, findings, main = "weather", "Weather", "weather.json", Weather, "all-days"
    stored = (StoredFrame(file="days", name="all-days", title="One row per day", attribute="table"),)
    other, unfinished, report = "these are not results of the weather", "it still rains", "weather_results"

    def write(self, results, folder):
        ledger = Ledger(folder)
        with ledger.writing():
            ledger.write_manifest(results.manifest)
        super().write(results, folder)

    def verdict(self, results):
        return f"{len(results.findings.days)} days."


def document(findings, *, title, facts, review):
    days = Text(f"{len(findings.days)} days.")
    return Document(kind="weather", title=title, facts=(), answer="", numbers=(days,), main=None, sections=())


def tables(findings):
    return {}


def charts(findings):
    return {}


KIND = WeatherKind()
"""

VERSION = {"versions": {"heldout": ho.__version__}}


@pytest.fixture
def weather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package that declares a kind, one that cannot be loaded, and one that is none."""
    package = tmp_path / "weather_results-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: weather-results\nVersion: 1.0\n")
    points = "weather = weather_results:KIND\nlost = weather_results:LOST\nstrange = weather_results:MODULE\n"
    (package / "entry_points.txt").write_text(f"[heldout.kinds]\n{points}")
    (tmp_path / "weather_results.py").write_text(f"MODULE = 1\n{MODULE}")
    monkeypatch.syspath_prepend(tmp_path)
    kind_labels.cache_clear()
    yield tmp_path
    kind_labels.cache_clear()


def test_results_of_another_package_are_stored_shown_and_checked(weather: Path) -> None:
    from weather_results import Weather  # type: ignore[import-not-found]

    manifest = {"kind": "weather", "complete": True, "title": "June", "parts": {"all": "1"}, **VERSION}
    results = ho.Results(findings=Weather(("dry", "wet")), manifest=manifest)
    results.save(weather / "june")
    loaded = ho.load(weather / "june")
    assert loaded.findings == results.findings and loaded.verdict == "2 days." and "2 days." in loaded.to_html()
    assert loaded.tables["all-days"].frame["day"].to_list() == ["dry", "wet"]
    checked = ho.verify(weather / "june")
    assert dict(checked.iter_rows()) == dict.fromkeys(("manifest.json", "weather.json", "days.parquet", "report.html"), "")
    (weather / "june" / "days.parquet").unlink()
    assert "is missing" in dict(ho.verify(weather / "june").iter_rows())["days.parquet"]


def test_a_kind_that_cannot_be_loaded_is_told_where_it_is_declared(weather: Path) -> None:
    for name, found in (("lost", "has no attribute 'LOST'"), ("strange", "1")):
        with refused(ho.ResultsError, where=f"entry point '{name}' of 'heldout.kinds'") as refusal:
            ho.Results(findings=None, manifest={"kind": name}).verdict  # noqa: B018
        assert found in str(refusal.value)
    with pytest.warns(ComponentWarning) as told:
        assert [kind.name for kind in known_kinds()][len(KINDS) :] == ["weather"]
    assert len(told) == 2
    with refused(ho.ResultsError, hint="install what made them"):
        ho.Results(findings=None, manifest={"kind": "snow"}).verdict  # noqa: B018


def test_pages_over_a_folder_know_the_labels_of_all_kinds(weather: Path) -> None:
    (weather / "weather_results-1.0.dist-info" / "entry_points.txt").write_text(
        "[heldout.kinds]\nweather = weather_results:KIND\n"
    )
    assert kind_labels()["weather"] == "Weather" and kind_labels()["study"] == "Study"
    from weather_results import Weather

    manifest = {"kind": "weather", "complete": True, "title": "June", "parts": {"all": "1"}, **VERSION}
    ho.Results(findings=Weather(("dry",)), manifest=manifest).save(weather / "june")
    summary = study_summary(weather / "june")
    assert (summary.kind, summary.title, summary.state, summary.verdict) == ("weather", "June", "finished", "1 days.")


def test_every_kind_has_its_label_and_files() -> None:
    ours = known_kinds()[: len(KINDS)]
    assert [kind.name for kind in ours] == list(KINDS) and all(kind.label for kind in ours)
    assert all(kind.files[0].endswith(".json") and len(set(kind.files)) == len(kind.files) for kind in ours)
