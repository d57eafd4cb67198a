"""Under `python -OO` there are no docstrings: everything runs, and definitions say what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from heldout.catalogue import Component
from heldout.catalogue.prose import NO_DOCSTRING, docstring_of

WITHOUT = "Definitions need docstrings, which Python leaves out under -OO."
OPTIMISED = """
import json
import sys
import heldout as ho
from heldout.catalogue import classes
from heldout.catalogue.describe import describe
from heldout.catalogue.kinds import KINDS

folder = sys.argv[1]
results = ho.run(
    {
        "data": "simulate(users=30, items=20, ratings=250)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Popularity", "Random"],
        "metrics": ["nDCG@5", "P@5"],
        "relevance": "threshold(3)",
    },
    out=folder,
)
known = [describe(cls) for kind in KINDS for cls in classes(kind)]
print(
    json.dumps(
        {
            "asserts": __debug__,
            "summaries": sorted({entry.summary for entry in known}),
            "divided": sorted({text for entry in known for word, text in entry.facts if word == "Divided by"}),
            "values": results.leaderboard["value"].to_list(),
            "methods": str(ho.methods(folder)),
        }
    )
)
"""


def test_definitions_say_that_they_need_docstrings(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    ran = subprocess.run([sys.executable, "-OO", "-c", OPTIMISED, folder], capture_output=True, text=True, check=True)
    said = json.loads(ran.stdout)
    assert said["asserts"] is False
    assert said["summaries"] == [WITHOUT]
    assert WITHOUT.rstrip(".") in said["divided"]
    assert len(said["values"]) == 4
    assert "definitions need docstrings" in said["methods"]
    for text in (said["methods"], (folder / "report.html").read_text(encoding="utf-8")):
        assert "Literal[" not in text  # a signature, which dataclasses write if there is no docstring
    assert WITHOUT.rstrip(".").casefold() in (folder / "report.html").read_text(encoding="utf-8").casefold()
    described = subprocess.run(
        [sys.executable, "-OO", "-m", "heldout", "describe", "nDCG"], capture_output=True, text=True, check=True
    )
    assert WITHOUT in " ".join(described.stdout.split())


@pytest.mark.parametrize("command", [("-m", "heldout", "list"), ("-c", "import heldout; print(heldout.list())")])
def test_a_list_says_once_that_definitions_need_docstrings(command: tuple[str, str]) -> None:
    ran = subprocess.run([sys.executable, "-OO", *command], capture_output=True, text=True, check=True)
    assert " ".join(ran.stdout.split()).count(WITHOUT) == 1 and "nDCG" in ran.stdout


def test_a_component_without_a_docstring_says_so() -> None:
    class Bare(Component):
        pass

    assert Bare.summary() == docstring_of(Bare) == NO_DOCSTRING
    assert "Bare(" not in Bare.summary()
