"""Every aggregation of the catalogue keeps the contract; and the contract can be broken."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import failing_check

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.catalogue import classes, make
from heldout.tables.arrays import Float64
from heldout.testing import check_aggregation

TEXTS = (
    *(cls.key for cls in classes("aggregation")),
    "mean(weight=test)",
    "mean(weight=relevant)",
    "gmean(0.1)",
    "trimmed(0.1)",
)


@pytest.mark.parametrize("text", TEXTS)
def test_contract(text: str) -> None:
    check_aggregation(make("aggregation", text))


def _broken(way: str) -> Aggregation:
    class Broken(Aggregation):
        """Broken in one way."""

        compared_by = ("modes",) if way == "compared" else ("means",) if way == "scale" else ("ranks",)  # type: ignore[assignment]
        is_mean = way == "is_mean"

        def prepare(self, found):  # type: ignore[no-untyped-def]
            if way == "values":
                found.values[0, 0] = 0.5
            return found

        def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
            if way == "constant":
                return np.ones(values.shape[1:])
            if way == "infinite":
                return np.full(values.shape[1:], np.inf)
            if way == "order":
                return values[0]
            return mean_of(values) ** 2 if way == "scale" else mean_of(values)

    return Broken()


def test_each_fault_is_found_by_its_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.testing.aggregations.check_text_form", lambda aggregation: None)
    faults = ("constant", "infinite", "order", "values", "scale", "compared", "is_mean")
    assert len({failing_check(check_aggregation, _broken(fault)) for fault in faults}) == len(faults)
