"""Every command under `python -OO`, which leaves out docstrings and assertions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.heavy import heavy

from heldout.cli import data
from heldout.cli.app import VERBS

PROGRAM = Path(__file__).with_name("optimised_commands.py")
"""Runs each command on small data and prints what came of it, as JSON."""

WITH_DEFINITIONS = ("split", "report", "methods", "list", "describe", "schema")
"""What shows docstrings, or says that they are missing."""
MEASURED = ("tune", "serve")
"""What shows seconds or a token."""


@pytest.fixture(scope="module")
def by_case(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What each command prints under -OO and without it."""
    outcomes = {}
    for options in (["-OO"], []):
        folder = tmp_path_factory.mktemp("commands")
        ran = subprocess.run(
            [sys.executable, *options, PROGRAM], cwd=folder, capture_output=True, text=True, check=False, timeout=1200
        )
        assert ran.returncode == 0, ran.stderr[-2000:]
        outcomes["".join(options)] = json.loads(ran.stdout.splitlines()[-1])
        assert outcomes["".join(options)].pop("asserts") is (not options)
    return outcomes


@heavy
def test_every_command_runs(by_case: dict[str, dict[str, Any]]) -> None:
    optimised, plain = by_case["-OO"], by_case[""]
    subcommands = {f"data {command.name}" for command in data.app.registered_commands}
    words = {case.split(":")[0] for case in optimised}
    assert words == (VERBS.keys() | subcommands)
    assert optimised.keys() == plain.keys()
    for case, said in optimised.items():
        assert said["code"] == 0, (case, said)
        assert "Traceback" not in said["err"] and "bug in Heldout" not in said["err"], (case, said)


@heavy
def test_it_prints_the_same(by_case: dict[str, dict[str, Any]]) -> None:
    printed = {options: {case: said["out"] for case, said in cases.items()} for options, cases in by_case.items()}
    for cases in printed.values():
        for case in (*WITH_DEFINITIONS, *MEASURED):
            del cases[case]
    assert printed["-OO"] == printed[""] and len(printed["-OO"]) > 20
