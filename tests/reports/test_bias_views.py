"""What every form of a report on biases draws alike."""

from __future__ import annotations

from tests.biases.sample import small_findings

from heldout.reports.bias_views import (
    SWEEP_HEADS,
    SWEEP_NOTES,
    curves_of,
    expectation_cells,
    expectation_lines,
    pairs_text,
    place_text,
    protocol_lines,
    sizes_words,
    sweeps_drawn,
    times_text,
)


def test_one_line_for_each_protocol_by_its_metric() -> None:
    findings = small_findings()
    lines = protocol_lines(findings)
    assert sizes_words(findings) == "4 systems, 89 users, 13 protocols"
    assert [line.effect.protocol for line in lines].count("P1R") == 1
    assert len(lines) == 13
    metrics = {line.effect.protocol: line.effect.metric for line in lines}
    assert metrics["P1R"] == "nDCG@5" and metrics["bpref"] == "bpref(count=all)"
    assert all((line.popularity == line.popularity) == (line.effect.role != "metric") for line in lines)


def test_numbers_in_words() -> None:
    assert (times_text(17.3), times_text(1.28), times_text(float("nan"))) == ("17 ×", "1.3 ×", "")
    assert pairs_text((("A", "B"), ("C", "D"))) == "A over B; C over D"
    assert (place_text("head", 0.1), place_text("uniform", 0.125), place_text("lists", 1000.0)) == ("10%", "12.5%", "1,000")
    assert place_text("skew", 1.5) == "1.5"


def test_expectations_are_of_random_and_popularity() -> None:
    rows = expectation_lines(small_findings())
    assert {row.system for row in rows} == {"Random", "Popularity"}
    one = next(row for row in rows if row.protocol == "1R" and row.system == "Random")
    closed, bounds, exact, _, _ = expectation_cells(one)
    assert closed == "0.1000 1/t (eq. 5)" and exact == "0.1000" and bounds.startswith("[")


def test_every_sweep_has_words_and_curves() -> None:
    findings = small_findings()
    assert SWEEP_HEADS.keys() == SWEEP_NOTES.keys()
    for sweep, protocol in sweeps_drawn(findings):
        curves = curves_of(findings, sweep, protocol)
        assert list(curves) == list(findings.systems)
        assert all([p.x for p in points] == sorted(p.x for p in points) for points in curves.values())
