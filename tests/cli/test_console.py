"""Nothing is wider than the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command, study_text
from tests.cli.saying import fine

from heldout.cli import console

EVALUATE = ("evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv")


# Width


@pytest.mark.parametrize("width", [60, 100])
def test_nothing_is_wider_than_the_terminal(
    width: int, desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.out, "_width", width)
    (desk / "study.toml").write_text(study_text(target='["AllItems", "TestItems", "OnePlusRandom(3)"]'))
    commands = [
        (*EVALUATE, "-m", "nDCG(gain=exp2)@10", "-m", "P(rel=4)@[5, 10]"),
        ("run", "study.toml", "-o", "results"),
        ("report", "results"),
        ("list",),
        ("describe", "nDCG"),
        ("describe", "simulate"),
        ("describe", "HO201"),
        ("data", "describe", "ratings.csv", "-f", "core(2)", "-f", "positive(3)"),
    ]
    for command in commands:
        lines = fine(heldout(*command)).splitlines()
        assert lines
        assert max(map(len, lines)) <= width, (command, max(lines, key=len))


def test_the_width_comes_from_the_terminal(desk: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *EVALUATE],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "60"},
    )
    assert max(map(len, ended.stdout.splitlines())) == 60
