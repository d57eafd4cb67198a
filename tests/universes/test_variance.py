"""Functional analysis of variance of grids, full and nested."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from tests.universes.grids import USUAL, made, of

from heldout.universes.analysis import multiverse_findings
from heldout.universes.findings import MultiverseFindings
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.sentences import together
from heldout.universes.variance import anova, movers, parents


def by_name(rows):
    return {row.decisions: row.effect for row in rows}


def grid(levels, effects):
    """A full grid whose effects are these numbers, up to a factor that shares do not see."""
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    codes = np.array(list(product(*(range(len(one.levels)) for one in decisions))), dtype=np.int32)
    codes[:, NAMES.index("gain")] = -1
    y = np.asarray(effects, dtype=np.float64) / 1000
    return of(decisions, codes, np.stack([1 + y / 2, 1 - y / 2], axis=1))


def test_four_universes_by_hand():
    # Means by the first 2 and 8, by the second 3 and 7, all 5: V = 9, 4 and 14 − 9 − 4 = 1 of 14.
    found = anova(grid({"target": ["AllItems", "TestItems"], "cutoff": ["1", "5"]}, [1, 3, 5, 11]))[0]
    assert by_name(found.single) == pytest.approx({("target",): 9 / 14, ("cutoff",): 4 / 14})
    assert by_name(found.joint) == pytest.approx({("target", "cutoff"): 1 / 14})
    assert found.remainder_effect == pytest.approx(0, abs=1e-12)
    assert found.sd == pytest.approx(np.sqrt(14) / 1000)


def test_two_decisions_explain_nothing_together_if_only_rounding_says_otherwise():
    # Y is a sum of what two decisions add. Thirds and tenths are not exact, so sums of squares differ in their last bits.
    levels = {"target": ["AllItems", "TestItems"], "cutoff": ["1", "5", "10"], "test": ["t", "sign", "wilcoxon"]}
    y = [a + b for a in (1 / 3, -0.7) for b in (0.1, 0.7, 1.1) for _ in range(3)]
    found = anova(grid(levels, y))[0]
    assert by_name(found.single)[("test",)] == 0.0
    assert set(by_name(found.joint).values()) == {0.0}


def test_sobol_indices_of_a_polynomial_in_closed_form():
    # Y = 3a + 2b + ab + abc with a, b, c = ±1: variances 9, 4, 1 and 1 of 15, the last of three together.
    signs = list(product((-1, 1), repeat=3))
    levels = {"target": ["AllItems", "TestItems"], "cutoff": ["1", "5"], "test": ["t", "sign"]}
    found = anova(grid(levels, [3 * a + 2 * b + a * b + a * b * c for a, b, c in signs]))[0]
    assert by_name(found.single) == pytest.approx({("target",): 9 / 15, ("cutoff",): 4 / 15, ("test",): 0}, abs=1e-12)
    assert by_name(found.joint)[("target", "cutoff")] == pytest.approx(1 / 15)
    assert found.remainder_effect == pytest.approx(1 / 15)


def explained(codes, columns, y):
    """Sum of squares that a saturated least-squares fit in these columns explains."""
    if not columns:
        return 0.0
    _, cell = np.unique(codes[:, columns], axis=0, return_inverse=True)
    design = np.eye(cell.max() + 1)[cell.ravel()]
    fitted = design @ np.linalg.lstsq(design, y - y.mean(), rcond=None)[0]
    return float(fitted @ fitted)


def test_full_grid_equals_classical_effects_and_all_orders_sum_to_one():
    rng = np.random.default_rng(3)
    levels = {
        "target": ["AllItems", "TestItems", "TestRatings"],
        "cutoff": ["1", "5"],
        "test": ["t", "sign"],
        "seed": ["1", "2", "3"],
    }
    universes = grid(levels, rng.standard_normal(36))
    y = universes.effect[:, 0]
    whole = float((y - y.mean()) @ (y - y.mean()))
    effects = {}
    for order in range(1, 5):  # classical: what a set explains less what its parts do
        for chosen in combinations(universes.varying, order):
            smaller = sum(value for part, value in effects.items() if set(part) < set(chosen))
            effects[chosen] = explained(universes.codes, list(chosen), y) - smaller
    assert sum(effects.values()) == pytest.approx(whole)
    found = anova(universes)[0]
    rows = by_name(found.single) | by_name(found.joint)
    names = [one.name for one in universes.decisions]
    expected = {tuple(names[k] for k in chosen): value / whole for chosen, value in effects.items() if len(chosen) < 3}
    assert rows == pytest.approx(expected)
    assert found.remainder_effect == pytest.approx(sum(v for c, v in effects.items() if len(c) > 2) / whole)


NESTED = {
    "metric": ["P", "nDCG", "ERR"],
    "gain": ["binary", "linear", "exp2"],
    "cutoff": ["5", "10"],
    "target": ["AllItems", "TestItems"],
}


def test_nested_grid_equals_projections_and_all_orders_sum_to_one():
    universes = made(NESTED, lambda row: 0.0, noise=1.0)
    y = universes.effect[:, 0]
    whole = float((y - y.mean()) @ (y - y.mean()))
    t, m, c, g = (universes.decision(name) for name in ("target", "metric", "cutoff", "gain"))
    v = lambda *columns: explained(universes.codes, list(columns), y)  # noqa: E731
    found = anova(universes)[0]
    rows = by_name(found.single) | by_name(found.joint)
    assert rows[("metric",)] == pytest.approx(v(m) / whole)
    assert rows[("gain",)] == pytest.approx((v(m, g) - v(m)) / whole)
    assert rows[("metric", "cutoff")] == pytest.approx((v(m, c) - v(m) - v(c)) / whole)
    assert rows[("cutoff", "gain")] == pytest.approx((v(m, c, g) - v(m, c) - v(m, g) + v(m)) / whole)
    assert ("metric", "gain") not in rows  # a gain is within its metric, so there is nothing beyond
    third = v(t, m, c) - v(t, m) - v(t, c) - v(m, c) + v(t) + v(m) + v(c)
    nested = v(t, m, c, g) - v(t, m, c) - v(t, m, g) - v(m, c, g) + v(t, m) + v(m, c) + v(m, g) - v(m)
    assert min(third, nested) > 0
    assert found.remainder_effect == pytest.approx((third + nested) / whole)
    assert sum(rows.values()) + found.remainder_effect == pytest.approx(1)


def test_verdicts_have_their_own_shares():
    # The effect is always above what is significant, and its sign is the target's: the verdict is the target's alone.
    sign = {"AllItems": 1, "TestItems": -1}
    universes = made(
        {"target": list(sign), "cutoff": ["1", "5"]}, lambda row: sign[row["target"]] * 0.02 * int(row["cutoff"])
    )
    found = anova(universes)[0]
    assert {row.decisions: row.verdict for row in found.single} == pytest.approx({("target",): 1, ("cutoff",): 0})
    assert by_name(found.single)[("target",)] < 1


def test_an_effect_that_does_not_vary_has_no_shares():
    found = anova(made({"cutoff": ["1", "5"]}, lambda row: 0.1))[0]
    assert np.isnan(found.single[0].effect)
    assert np.isnan(found.remainder_effect)


def test_universes_without_a_value_are_left_out_and_told():
    universes = made(NESTED, lambda row: 0.1 * (row["target"] == "AllItems"))
    universes.effect[3] = np.nan
    found = anova(universes)[0]
    assert not found.complete
    assert by_name(found.single)[("target",)] == pytest.approx(1)


def nested(universes):
    """What each decision depends on, where it depends on any."""
    return {row.decisions: row.within for row in anova(universes)[0].single if row.within}


def test_a_gain_map_is_nested_in_its_metric():
    assert nested(made(NESTED, lambda row: 0.0)) == {("gain",): ("metric",)}


def test_tests_that_do_not_fit_an_aggregation_are_nested_in_it_alone():
    fits = lambda row: row["aggregate"] != "median" or row["test"] == "sign"  # noqa: E731
    levels = {"aggregate": ["mean", "median"], "test": ["t", "sign"], "metric": ["P", "Recall"], "cutoff": ["5", "10"]}
    universes = made(
        levels, lambda row: 0.0, keep=lambda row: fits(row) and (row["metric"] != "P" or row["aggregate"] == "mean")
    )
    names = [one.name for one in universes.decisions]
    above = parents(universes.codes, universes.varying)
    assert {names[k]: {names[p] for p in found} for k, found in above.items() if found} == {
        "aggregate": {"metric"},
        "test": {"aggregate"},  # the tests depend on the metric too, but only through the aggregation
    }
    assert nested(universes) == {("aggregate",): ("metric",), ("test",): ("metric", "aggregate")}


def test_one_missing_universe_of_many_makes_no_dependence():
    levels = {
        "seed": [str(k) for k in range(1, 9)],
        "cutoff": [str(k) for k in range(1, 21)],
        "target": ["AllItems", "TestItems", "TestRatings"],
    }
    universes = made(levels, lambda row: 0.0)
    rows = np.ones(len(universes), dtype=bool)
    rows[77] = False
    assert len(universes) == 480
    assert nested(universes.only(rows)) == {}


def turned(row: dict[str, str]) -> float:
    return -0.05 if row["target"] == "TestRatings" and int(row["cutoff"]) <= 5 else 0.05


def two() -> MultiverseFindings:
    levels = {"cutoff": ["1", "5", "10", "20"], "target": ["AllItems", "TestRatings"], "seed": ["1", "2"]}
    return multiverse_findings(made(levels, turned), level=0.05)


def test_target_and_cutoff_explain_a_third_each_and_a_third_together() -> None:
    sample = two()
    first, second, last = movers(sample, sample.pairs[0])
    assert {first.name, second.name} == {"target", "cutoff"} and last.name == "seed"
    for mover in (first, second):
        assert math.isclose(mover.effect, 1 / 3) and math.isclose(mover.joint, 1 / 3)
        assert math.isclose(mover.explained, 2 / 3)
    assert last.explained == 0 and last.changes == (0, 0, 0)
    assert together(sample, sample.pairs[0]).startswith("Two decisions together, beyond each alone: target × cut-off 33.3%.")


def test_changes_are_shares_of_the_universes_that_differ_in_one_decision() -> None:
    """Of four cut-offs under each seed and target, TestRatings has two that turn: 1 of 2 pairs of targets, all reversed."""
    sample = two()
    changes = {mover.name: mover.changes for mover in movers(sample, sample.pairs[0])}
    assert changes["target"] == (0.5, 0.5, 0)
    assert changes["cutoff"] == (4 / 12, 4 / 12, 0)  # under TestRatings 4 of 6 pairs of cut-offs, under AllItems none of 6


def test_a_decision_that_changes_nothing_explains_nothing() -> None:
    sample = multiverse_findings(made({"seed": ["1", "2"]}, lambda row: 0.1), level=0.05)
    (mover,) = movers(sample, sample.pairs[0])
    assert mover.explained == 0 and mover.name == "seed"
    assert together(sample, sample.pairs[0]) == "The effect is the same in all universes."
