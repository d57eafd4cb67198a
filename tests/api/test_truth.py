"""Protocols held against the truth, from Python: options, folders, and what goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.heavy import heavy
from tests.refusals import refused

import heldout as ho
from heldout.errors import NotApplicableError, UnknownNameError

STUDY: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=400)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random"],
}
ASKED: dict[str, Any] = {"metrics": "P@5", "draws": 2, "protocols": ["AR"]}


def test_a_folder_keeps_every_draw_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ho.truth(STUDY, out=tmp_path / "out", **ASKED)
    in_memory = ho.truth(STUDY, **ASKED)
    assert repr(first.findings) == repr(in_memory.findings) and first.folder == tmp_path / "out"
    assert first.manifest["complete"] is True and first.manifest["options"]["metrics"] == ["P@5"]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a draw was made again")

    monkeypatch.setattr("heldout.recommenders.baseline.popularity.Popularity.fit", refuse)
    assert ho.truth(STUDY, out=tmp_path / "out", **ASKED).manifest["parts"] == first.manifest["parts"]


@heavy
def test_ray_draws_side_by_side_to_the_same_findings(ray_engine: object, tmp_path: Path) -> None:
    here = ho.truth(STUDY, **ASKED)
    there = ho.truth(STUDY, out=tmp_path, **ASKED, engine="ray")
    assert repr(here.findings) == repr(there.findings)
    assert len(list((tmp_path / "stages").iterdir())) == 2


def test_metrics_and_protocols_are_those_that_are_named() -> None:
    rows = ho.truth(STUDY, **{**ASKED, "metrics": ["P@5", "RR"]}).findings.rows
    assert {row.metric for row in rows} == {"P@5", "RR"} and len({row.protocol for row in rows}) == 1


def test_real_ratings_without_a_truth_are_refused(tmp_path: Path) -> None:
    ho.read(STUDY["data"]).to_polars().write_csv(tmp_path / "ratings.csv")
    with refused(NotApplicableError, where="data", hint="name a table of ratings of"):
        ho.truth({**STUDY, "data": str(tmp_path / "ratings.csv")}, out=tmp_path / "out", **ASKED)


def test_the_design_of_a_nested_truth_is_asked_for_in_the_study_or_in_the_call() -> None:
    """Ratings that are part of the random sample: it is halved, unless the whole is asked for."""
    rng = np.random.default_rng(1)
    user, item = np.nonzero(rng.random((40, 30)) < 0.7)
    sample = pl.DataFrame({"user": user, "item": item, "rating": rng.integers(1, 6, len(user)).astype(float)})
    nested = STUDY | {"data": sample.filter(rng.random(len(user)) < 0.5), "truth": sample}
    halves, asked, whole, called = (
        ho.truth(nested | {"truth_design": key} if key else nested, design=design, **ASKED)
        for key, design in ((None, None), ("whole", "halves"), ("whole", None), (None, "whole"))
    )
    assert repr(halves.findings) == repr(asked.findings) != repr(whole.findings) == repr(called.findings)
    assert abs(halves.findings.train / whole.findings.train - 0.5) < 0.1
    assert any("halves the sample of every user" in text for text in halves.findings.limits)
    assert any("without which its user would not be tested weighs 1" in text for text in whole.findings.limits)
    assert "halves the sample of every user" in halves.to_html() and "halves the sample" in halves.to_markdown()
    assert called.manifest["study"]["truth_design"] == "whole" and "truth_design" not in halves.manifest["study"]
    with refused(UnknownNameError, where="truth_design", found="third", hint="known: halves, whole"):
        ho.truth(nested, design="third", **ASKED)  # type: ignore[arg-type]
