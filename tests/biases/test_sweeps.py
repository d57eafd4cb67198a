"""What moves values: thinner test sets, longer lists, more classes, no head, other uniform test sets, steeper popularity."""

from __future__ import annotations

import numpy as np
import pytest
from tests.biases.sample import SIZES, small_findings, small_study

from heldout.biases.options import BiasOptions
from heldout.biases.sweeps import all_relevant, one_relevant, target_sweeps, targets_of, thinned
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds


def test_every_sweep_has_every_system_at_every_place() -> None:
    findings = small_findings()
    places: dict[tuple[str, str, str], set[float]] = {}
    for point in findings.curves:
        places.setdefault((point.sweep, point.protocol, point.system), set()).add(point.x)
    sizes = {"removed": "removed", "lists": "lists", "classes": "class_counts", "head": "heads", "skew": "alphas"}
    for sweep, name in sizes.items():
        for system in findings.systems:
            for protocol in {p for s, p, _ in places if s == sweep}:
                assert places[sweep, protocol, system] == set(map(float, SIZES[name])), (sweep, protocol)
    assert {protocol for sweep, protocol, _ in places if sweep == "uniform"} == {"U1R", "UAR"}


def test_the_first_place_is_the_protocol_itself() -> None:
    findings = small_findings()
    values = {(r.protocol, r.system): r.value for r in findings.effects.values if r.metric == findings.precision}
    for point in findings.curves:
        if (point.sweep, point.x) in (("removed", 0.0), ("head", 0.0), ("lists", 10.0)):
            assert point.value == pytest.approx(values[point.protocol, point.system])
        if (point.sweep, point.x) == ("classes", 3.0):
            assert point.value == pytest.approx(values["P1R", point.system])
        if (point.sweep, point.x) == ("classes", 1.0):
            assert point.value == pytest.approx(values["1R", point.system])


def test_precision_of_all_relevant_items_falls_with_test_ratings() -> None:
    points = [p for p in small_findings().curves if p.sweep == "removed" and p.protocol == "AR"]
    for system in small_findings().systems:
        whole, half = sorted((p for p in points if p.system == system), key=lambda p: p.x)
        assert half.value < whole.value


def test_a_thinned_test_set_lies_in_a_fuller_one_and_users_stay() -> None:
    study = small_study()
    fold = next(next(split_folds(study, Prepared(), Clock()))[1])
    pairs = [
        set(zip(part.user.tolist(), part.item.tolist(), strict=True))
        for part in (thinned(fold, removed, 1).split.test for removed in (0.0, 0.4, 0.9))
    ]
    assert pairs[2] < pairs[1] < pairs[0]
    assert len(pairs[1]) == len(pairs[0]) - round(0.4 * len(pairs[0]))
    assert np.array_equal(thinned(fold, 0.9, 1).users, fold.users)
    assert thinned(fold, 0.4, 2).split.test.digest != thinned(fold, 0.4, 1).split.test.digest


def test_targets_by_name() -> None:
    assert str(all_relevant()) == "TestItems"
    assert str(all_relevant(sampled=9, head=0.1)) == "targets(candidates=test, nonrelevant=9, head=0.1)"
    assert one_relevant(9, classes=3).form.percentiles == 3
    ways = list(target_sweeps(BiasOptions(sweeps=("lists",), lists=(10,))))
    assert [str(target) for target in targets_of(ways)] == [str(one_relevant(9)), str(all_relevant(sampled=9))]
