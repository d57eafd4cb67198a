"""Every significance test and correction of the catalogue keeps the contract; and the contracts can be broken."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import failing_check

from heldout.catalogue import classes, make
from heldout.significance import PairedT
from heldout.significance.significance_test import Correction, Test
from heldout.tables.arrays import Float64, Int64
from heldout.testing import check_correction, check_test

FORMS = {
    "permutation": "permutation(samples=2000)",
    "bootstrap": "bootstrap(samples=499)",
    "subsampled": "subsampled(t, subsets=20, size=20)",
}
"""With fewer samples than by default."""


@pytest.mark.parametrize(
    "key", [*(cls.key for cls in classes("test")), "sign(alternative=greater)", "sign(alternative=less)"]
)
def test_contract(key: str) -> None:
    check_test(make("test", FORMS.get(key, key)))


@pytest.mark.parametrize("key", [cls.key for cls in classes("correction")])
def test_contract_of_corrections(key: str) -> None:
    check_correction(make("correction", key))


def _broken_test(way: str) -> Test:
    class Broken(Test):
        """The t test, broken in one way."""

        weighable = way != "weights"
        all_at_once = way == "layout"
        has_p = way != "figures"

        def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
            p = PairedT().p_values(columns, pairs, seed=seed)
            if way == "shape":
                return p[1:]
            if way == "range":
                return p * 2
            if way == "seed":
                return p * np.random.default_rng().random()
            if way == "equal":
                return p / 2
            if way == "turned":
                return np.where(pairs[:, 0] < pairs[:, 1], p, 1.0)
            if way == "order":
                return np.where(
                    columns[0, pairs[:, 0]] == columns[0, pairs[:, 1]], 1.0, p * (1 - 0.01 * np.tanh(columns[0, 0]))
                )
            if way == "blind":
                return np.ones(len(p))
            if way == "figures":
                return np.full(len(p), np.nan)
            return np.where(p < 1, p / 3, p) if way == "liberal" else p

    return Broken()


def test_each_fault_of_a_test_is_found_by_its_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.testing.significance.check_text_form", lambda component: None)
    faults = ("shape", "range", "seed", "weights", "equal", "turned", "order", "blind", "liberal", "layout", "figures")
    assert len({failing_check(check_test, _broken_test(fault)) for fault in faults}) == len(faults)


def _broken_correction(way: str) -> Correction:
    class Broken(Correction):
        """Bonferroni's, broken in one way."""

        def adjust(self, p: Float64) -> Float64:
            n = len(p) if way == "family" else int((~np.isnan(p)).sum())
            adjusted = np.minimum(p * n, 1.0)
            if way == "lower":
                return p / 2
            if way == "order":
                return np.where(p < 0.01, 1.0, adjusted)
            if way == "nan":
                return np.nan_to_num(adjusted)
            if way == "alone":
                return np.minimum(p * (n + 1), 1.0)
            return p.copy() if way == "idle" else adjusted

    return Broken()


def test_each_fault_of_a_correction_is_found_by_its_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.testing.significance.check_text_form", lambda component: None)
    faults = ("lower", "order", "nan", "family", "alone", "idle")
    assert len({failing_check(check_correction, _broken_correction(fault)) for fault in faults}) == len(faults)
