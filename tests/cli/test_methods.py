"""`heldout methods`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command


def test_methods_are_printed_and_written(heldout: Command, desk: Path, study: Path) -> None:
    assert "## Candidates and relevance" in heldout("methods", study).out
    latex = heldout("methods", study, "--format", "latex").out
    assert latex.startswith("% needs")
    assert "% @inproceedings{bellogin2011," in latex
    said = heldout("methods", study, "--out", desk / "setup.tex")
    assert said.code == 0
    assert r"\bibliography{setup}" in (desk / "setup.tex").read_text(encoding="utf-8")
    assert "@inproceedings{bellogin2011," in (desk / "setup.bib").read_text(encoding="utf-8")
    heldout("run", study, "--out", desk / "kept", "--quiet")
    assert "60 ratings of 10 items by 8 users" in heldout("methods", desk / "kept").out
