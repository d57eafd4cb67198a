"""The command line, run in this process, and a desk of small files to run it on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from heldout.cli import console
from heldout.cli.app import run_command

RATINGS = "user,item,rating\n" + "".join(
    f"u{u},i{i},{1 + u * i % 5}\n" for u in range(1, 9) for i in range(1, 11) if (u + i) % 4
)
"""60 ratings of 8 users and 10 items, from 1 to 5."""
QRELS = "user,item,rating\nu1,i1,5\nu1,i2,3\nu2,i1,4\n"
RUN_A = "user,item,score\nu1,i1,2\nu1,i2,1\nu2,i1,1\n"
RUN_B = "user,item,score\nu1,i1,1\nu1,i2,2\nu2,i1,1\n"


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def heldout(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run the command with these arguments, as its entry point would."""

    for shown in (console.out, console.errors):  # the width is that of COLUMNS now, not of when the console was made
        monkeypatch.setattr(shown, "_width", None)

    def command(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["heldout", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            run_command()
        said = capfd.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return command


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with ratings, judgements and two runs."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("ratings.csv", RATINGS), ("test.csv", QRELS), ("a.csv", RUN_A), ("b.csv", RUN_B)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def study_text(**keys: str | None) -> str:
    """A study file; keys are TOML values, None leaves one out."""
    usual = {
        "data": '"ratings.csv"',
        "split": '"ratio(train=0.5, by=user)"',
        "recommend": '["Popularity", "Random"]',
        "metrics": '["nDCG(gain=binary)@5", "P@5"]',
    }
    return "".join(f"{key} = {value}\n" for key, value in {**usual, **keys}.items() if value is not None)


@pytest.fixture
def study(desk: Path) -> Path:
    """A study file to be reviewed."""
    path = desk / "study.toml"
    path.write_text(study_text(target='"TestRatings"'), encoding="utf-8")
    return path
