"""Findings as tables."""

from __future__ import annotations

from tests.biases.sample import small_findings

from heldout.biases.findings import BiasFindings
from heldout.json_codec import from_plain, to_plain


def test_tables_have_a_row_for_everything() -> None:
    findings = small_findings()
    assert len(findings.table) == len(findings.effects.values)
    assert set(findings.table["role"]) == {"plain", "neutral", "metric"}
    assert len(findings.changes) == len(findings.effects.protocols)
    assert len(findings.pairs) == len(findings.effects.pairs)
    assert len(findings.expected) == len(findings.expectations)
    assert len(findings.sweeps) == len(findings.curves)


def test_what_is_written_is_read_back() -> None:
    findings = small_findings()
    again = from_plain(BiasFindings, to_plain(findings))
    assert again.table.equals(findings.table) and again.sweeps.equals(findings.sweeps)
    assert again.sentences == findings.sentences and again.limits == findings.limits
