"""`heldout demo`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.saying import fine

from heldout.api import demo


def test_demo(desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {**demo.STUDY, "data": "simulate(users=60, items=80, ratings=1500)", "target": ["AllItems", "OnePlusRandom(20)"]}
    small |= {"recommend": ["Random", "Popularity", "UserKNN(k=5)"], "compare": {"tests": ["t"]}}
    monkeypatch.setattr(demo, "STUDY", small)
    out = fine(heldout("demo", "--out", "here"))
    assert "OnePlusRandom" in out
    assert "Report: here/report.html" in out
    assert "UserKNN" in (desk / "here" / "report.html").read_text(encoding="utf-8")
