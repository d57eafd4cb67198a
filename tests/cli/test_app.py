"""Every command is a function of Python, and options have one spelling."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.cli.app import VERBS, settled

DATA = {"describe": "profile", "filter": "convert", "convert": "convert", "simulate": "read", "fetch": "fetch"}
"""Commands under `heldout data` → the function that does the same."""


@pytest.mark.parametrize("verb", [*VERBS, *DATA.values()])
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
