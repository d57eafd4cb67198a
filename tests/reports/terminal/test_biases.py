"""Biases in a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from tests.biases.sample import small_findings

from heldout.reports.terminal.biases import render
from heldout.reports.terminal.screen import printed


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_width_is_kept(width: int) -> None:
    text = printed(render(small_findings(), "Films & books"), width)
    assert max(cell_len(line.rstrip()) for line in text.splitlines()) <= width


def test_what_is_said() -> None:
    findings = small_findings()
    text = printed(render(findings, "Films"), 120)
    plain = " ".join(text.split())
    assert " ".join(findings.sentences[:2]) in plain
    for head in ("How much of this is popularity?", "What was to be expected", "What moves the values", "What is not known"):
        assert head in text
    assert "1/t (eq. 5)" in text and "stratified recall" in text
