"""Biases in a terminal."""

from __future__ import annotations

from dataclasses import replace

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


@pytest.mark.parametrize("width", [60, 80])
def test_no_system_is_left_out_where_there_is_little_room(width: int) -> None:
    findings = small_findings()
    text = printed(render(findings, "Films"), width)
    for part in ("How much of this is popularity?", "What moves the values"):
        shown = text.partition(part)[2].partition("\n\n\n")[0]
        assert all(system.partition("(")[0] in shown for system in findings.systems), part
    assert "ratings removed (1R)" in text and "skew α (AR)" in text


def test_what_was_left_out_has_a_head_of_its_own() -> None:
    findings = replace(small_findings(), left_out=("P1R: 99 items cannot be sampled",))
    text = printed(render(findings, "Films"), 100)
    assert text.rstrip().endswith("– P1R: 99 items cannot be sampled") and "What was left out" in text
