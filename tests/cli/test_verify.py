"""`heldout verify`: what is right in a word, what is wrong by name, and an exit code for scripts."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command, study_text


def test_verify(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(study_text())
    assert heldout("run", "study.toml", "--out", "results", "-q").code == 0
    said = heldout("verify", "results")
    assert said.code == 0 and said.out.endswith("files checked: all hold what was written\n") and said.err == "", said
    facts = desk / "results" / "facts.json"
    facts.write_text(facts.read_text() + " ")
    said = heldout("verify", "results")
    assert said.code == 1 and said.out.endswith("files checked, 1 wrong\n"), said
    assert "results/facts.json: was changed after it was written" in " ".join(said.err.split())
    rows = json.loads(heldout("verify", "results", "--json").out)
    assert [row["file"] for row in rows if row["problem"]] == ["facts.json"]
