"""`heldout check`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.api.test_check import METRIC, TEST, lists
from tests.cli.conftest import Command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A test set, a baseline and three candidates as CSV."""
    monkeypatch.chdir(tmp_path)
    judged = [f"{user},{item},{grade:g}" for user, items in TEST.items() for item, grade in items.items()]
    Path("test.csv").write_text("\n".join(["user,item,rating", *judged]))
    for name, skill in (("prod", 0.5), ("same", 0.5), ("near", 0.48), ("worse", 0.3), ("leak", 1.0)):
        rows = [f"{user},{item},{-k}" for user, items in lists(skill).items() for k, item in enumerate(items)]
        Path(f"{name}.csv").write_text("\n".join(["user,item,score", *rows]))
    return tmp_path


@pytest.mark.parametrize(("candidate", "code"), [("same", 0), ("near", 4), ("worse", 1), ("leak", 5)])
def test_the_exit_code_is_the_outcome(heldout: Command, files: Path, candidate: str, code: int) -> None:
    runs = ("--baseline", "prod.csv", "--candidate", f"{candidate}.csv", "-m", METRIC, "--relevance", "threshold(1)")
    check = heldout("check", "--qrels", "test.csv", *runs, "--suspicious", "30%", "--guard", "ItemCoverage@5 >= -5%")
    assert check.code == code, check.err
    assert f"{candidate}.csv" in check.out
    printed = heldout(
        "check", "--qrels", "test.csv", *runs, "--suspicious", "30%", "--format", "json", "--junit", "check.xml"
    )
    assert (printed.code, json.loads(printed.out)["exit_code"]) == (code, code)
    assert ElementTree.parse("check.xml").getroot().get("failures") == str(int(code != 0))


def test_inconclusive_may_pass(heldout: Command, files: Path) -> None:
    runs = ("--baseline", "prod.csv", "--candidate", "near.csv", "-m", METRIC, "--relevance", "threshold(1)")
    assert heldout("check", "--qrels", "test.csv", *runs, "--inconclusive", "pass", "--quiet").code == 0


def test_wrong_input_ends_with_2(heldout: Command, files: Path) -> None:
    assert heldout("check", "--qrels", "test.csv", "--baseline", "prod.csv", "--candidate", "absent.csv").code == 2
    assert heldout("check", "--baseline", "prod.csv", "--candidate", "same.csv").code == 2
    assert heldout("check", "--qrels", "test.csv", "--baseline", "prod.csv").code == 2
