"""Values, orders and significance under several protocols, against those of ordinary runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau
from tests.biases.sample import KEYS, SIZES, small_findings

import heldout as ho


def test_values_and_p_are_those_of_an_ordinary_run() -> None:
    findings = small_findings()
    results = ho.run(
        {
            **KEYS,
            "recommend": [*KEYS["recommend"], "Random"],
            "target": ["AllItems", f"P1R(nonrelevant={SIZES['sampled']}, percentiles={SIZES['classes']})"],
            "metrics": ["nDCG@5", "P@5"],
            "compare": "t",
        },
        progress=False,
    )
    board = {
        (r["target"], r["metric"], r["system"]): r["value"] for r in results.tables["all-leaderboards"].frame.to_dicts()
    }
    for protocol, target in (("AI-AR", "AllItems"), ("P1R", "P1R(nonrelevant=9, percentiles=3)")):
        rows = [row for row in findings.effects.values if row.protocol == protocol]
        assert len(rows) == 8
        for row in rows:
            assert row.value == pytest.approx(board[target, row.metric, row.system], abs=1e-15)
    pairs = {
        (row["setting"], *sorted((row["a"], row["b"]))): row
        for row in results.tables["all-comparisons"].frame.to_dicts()
        if row["test"] == "t"
    }
    for pair in findings.effects.pairs:
        if pair.protocol in ("AI-AR", "P1R"):
            target = "AllItems" if pair.protocol == "AI-AR" else "P1R(nonrelevant=9, percentiles=3)"
            same = pairs[f"{target} · {pair.metric}", *sorted((pair.a, pair.b))]
            assert abs(pair.difference) == pytest.approx(abs(same["difference"]))
            assert pair.p == pytest.approx(same["p_adjusted"]) or (np.isnan(pair.p) and same["p_adjusted"] is None)


def test_tau_reversals_and_losses_follow_from_values_and_p() -> None:
    effects = small_findings().effects
    values = {(row.protocol, row.metric, row.system): row.value for row in effects.values}
    systems = small_findings().systems
    significant = {(pair.protocol, pair.metric, frozenset((pair.a, pair.b))): pair.significant for pair in effects.pairs}
    assert effects.reference == "AI-AR"
    for effect in effects.protocols:
        here = [values[effect.protocol, effect.metric, name] for name in systems]
        plain = [values["AI-AR", effect.against, name] for name in systems]
        assert effect.tau == pytest.approx(kendalltau(here, plain).statistic)
        turned = {
            frozenset((a, b))
            for a in range(len(systems))
            for b in range(a)
            if (here[a] - here[b]) * (plain[a] - plain[b]) < 0
        }
        assert {frozenset(map(systems.index, pair)) for pair in effect.reversed} == turned
        for a, b in effect.reversed:
            assert plain[systems.index(a)] >= plain[systems.index(b)]
            sure = significant[effect.protocol, effect.metric, frozenset((a, b))]
            assert ((a, b) in effect.overturned) == sure
        for pair in effect.lost:
            assert significant["AI-AR", effect.against, frozenset(pair)]
            assert not significant[effect.protocol, effect.metric, frozenset(pair)]
    reference = next(effect for effect in effects.protocols if effect.protocol == "AI-AR")
    assert reference.tau == 1 and not reference.reversed and not reference.lost
    assert all(set(effect.overturned) <= set(effect.reversed) for effect in effects.protocols)
    assert {bool(effect.overturned) for effect in effects.protocols} == {True, False}


def test_multiples_of_random_are_of_precision_alone() -> None:
    rows = small_findings().effects.values
    assert all(np.isnan(row.times_random) == (row.metric != "P@5") for row in rows)
    one = next(row for row in rows if row.protocol == "1R" and row.metric == "P@5" and row.system == "Popularity")
    assert one.random == pytest.approx(0.1) and one.times_random == pytest.approx(one.value / 0.1)
