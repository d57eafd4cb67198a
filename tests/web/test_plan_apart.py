"""What a study would take is found out in a process of its own."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

from heldout.errors import SpecError
from heldout.web import catalogue_study as planning
from heldout.web.catalogue_study import catalogue_study

KEYS = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "metrics": "nDCG(gain=binary)@5",
}


def answer(
    keys: object, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(keys)))
    monkeypatch.setattr(sys, "argv", ["trial", str(folder)])
    planning.main()
    return dict(json.loads(capsys.readouterr().out))


def test_the_child_writes_the_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, here = answer(KEYS, tmp_path, monkeypatch, capsys)["plan"], catalogue_study(KEYS, tmp_path).plan()
    assert (plan["universes"], plan["fits"]) == (here.universes, here.fits)
    assert [(s["name"], s["count"], s["what"]) for s in plan["stages"]] == [(s.name, s.count, s.what) for s in here.stages]
    assert plan["seconds"] == pytest.approx(sum(s["seconds"] for s in plan["stages"]))


def test_the_child_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nothing.csv" in answer({**KEYS, "data": "nothing.csv"}, tmp_path, monkeypatch, capsys)["problem"]


def test_a_trial_that_takes_too_long_or_breaks_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(SpecError, hint="start the study and watch it, or try a sample of the data: filters = sample(users=0.1)"):
        planning.plan_apart(KEYS, tmp_path, longest=0.001)
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with refused(SpecError) as refusal:
        planning.plan_apart(KEYS, tmp_path)
    assert "code 1" in refusal.value.what
