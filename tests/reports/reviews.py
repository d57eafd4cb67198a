"""A review of two findings."""

from __future__ import annotations

from heldout import Review
from heldout.review.lint.finding import Finding, Unchecked


def review() -> Review:
    findings = (
        Finding(code="HO201", severity="error", stage="target", message="a <b> & *c*", change='write target = "AllItems"'),
        Finding(code="HO206", severity="advice", stage="ties", message="many_ties", change="count them"),
    )
    return Review("study.toml", findings, (Unchecked("HO401", "Are there users enough?", "results"),), rules=40)
