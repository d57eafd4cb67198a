"""`heldout lint`: exit codes, places and forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command, study_text


def test_errors_make_the_exit_code_1_and_advice_does_not(heldout: Command, desk: Path, study: Path) -> None:
    assert heldout("lint", study).code == 1
    assert heldout("lint", study, "--ignore", "HO202").code == 0
    assert heldout("lint", study, "--ignore", "ho511, HO202").code == 0
    assert heldout("lint", study, "--fail-on", "never").code == 0
    good = desk / "good.toml"
    good.write_text(study_text(), encoding="utf-8")
    assert heldout("lint", good).code == 0
    assert heldout("lint", good, "--fail-on", "warning").code == 1
    assert heldout("lint", good, "--fail-on", "advice").code == 1


def test_a_finding_says_where_it_stands_and_what_to_change(
    heldout: Command, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = heldout("lint", study).out
    assert "HO202 Only test ratings compete  target" in said
    lines = [line.strip() for line in said.splitlines()]
    removed = lines.index('- target = "TestRatings"')
    assert lines[removed + 1] == '+ target = ["AllItems", "TestRatings"]'
    assert "Not checked" in said
    assert all(len(line.rstrip()) <= 60 for line in said.splitlines() if not line.startswith("/"))
    assert "whether enough users are tested" in heldout("lint", study, "--unchecked").out


def test_json_and_markdown(heldout: Command, study: Path) -> None:
    found = json.loads(heldout("lint", study, "--format", "json").out)
    assert found["findings"][0]["code"] == "HO202"
    assert {"severity", "stage", "message", "change", "title"} <= set(found["findings"][0])
    assert found["unchecked"]
    written = heldout("lint", study, "--format", "markdown").out
    assert written.startswith("# Review\n")
    assert '  ```diff\n  - target = "TestRatings"\n  + target = ["AllItems", "TestRatings"]\n  ```\n' in written
    assert "### HO202 Only test ratings compete" in written


def test_results_are_reviewed_too(heldout: Command, desk: Path, study: Path) -> None:
    heldout("run", study, "--out", desk / "kept", "--quiet")
    said = heldout("lint", desk / "kept")
    assert said.code == 1
    assert "HO402" in said.out
    assert "only the study file tells" in " ".join(said.out.split())


def test_mistakes_are_told(heldout: Command, desk: Path, study: Path) -> None:
    assert "no such study file" in heldout("lint", desk / "none.toml").err
    assert heldout("lint", desk / "none.toml").code == 2
    (desk / "empty").mkdir()
    assert "manifest.json is missing" in heldout("methods", desk / "empty").err
    assert "unknown code 'HO999'" in heldout("lint", study, "--ignore", "HO999").err
    assert "cannot tell the form" in heldout("methods", study, "--out", desk / "a.doc").err


def test_describe_says_what_a_rule_is(heldout: Command) -> None:
    said = heldout("describe", "HO508").out
    for word in ("Severity", "Stands under", "Only results tell", "References"):
        assert word in said
