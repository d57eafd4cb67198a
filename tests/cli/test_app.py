"""The command itself: version, help and bad arguments. Every verb is a function of Python, and options have one spelling."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command, Said, study_text
from tests.cli.refusing import refused, write
from tests.cli.saying import fine

import heldout as ho
from heldout.cli.app import VERBS, settled

DATA = {"describe": "profile", "filter": "convert", "convert": "convert", "simulate": "read", "fetch": "fetch"}
"""Commands under `heldout data` → the function that does the same."""


def test_version_and_help(heldout: Command) -> None:
    assert fine(heldout("--version")).startswith("heldout ")
    for verb in ("run", "evaluate", "list", "describe", "schema", "report", "demo", "data"):
        assert verb in fine(heldout("--help"))
        assert "Usage: heldout " + verb in fine(heldout(verb, "-h"))
    said = heldout()
    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err


# The real command, in a process of its own.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["evaluate", "--qrels", "test.csv", "--run", "a.csv", "-m", "ndgc@10"],
            ("unknown metric 'ndgc'; did you mean nDCG?",),
        ),
        (["run", "none.toml", "-o", "out"], ("none.toml: no such study file",)),
        (["run", "study.toml", "-o", "out"], ("study.toml: metrics: nDCG: cut-off: ", "found 0")),
    ],
)
def test_the_command_itself(arguments: list[str], words: tuple[str, ...], desk: Path) -> None:
    write(desk, "study.toml", study_text(metrics='"nDCG@0"'))
    ended = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    refused(Said(ended.returncode, ended.stdout, ended.stderr), *words)
    assert not (desk / "out").exists()


@pytest.mark.parametrize("verb", [*(verb for verb in VERBS if verb != "report"), "load", *DATA.values()])
def test_every_verb_is_a_function(verb: str) -> None:
    assert callable(getattr(ho, verb))
    assert verb in dir(ho)


def test_every_command_under_data_has_a_function() -> None:
    from heldout.cli.data import app

    assert {command.name for command in app.registered_commands} == set(DATA)


def test_a_star_import_hides_no_name_of_python() -> None:
    names: dict[str, object] = {}
    exec("from heldout import *", names)
    assert "run" in names and "list" not in names


def test_options_in_the_plural_are_read_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "--metrics", "P@10", "--filters=core(5)", "--metric", "RR", "metrics"]
    assert settled(words) == ["evaluate", "--metric", "P@10", "--filter=core(5)", "--metric", "RR", "metrics"]
    told = capsys.readouterr().err
    assert "--metrics is read as --metric" in told and "--filters is read as --filter" in told
