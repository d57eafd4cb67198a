"""What there is prints itself."""

from __future__ import annotations

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError, UnknownNameError


def test_what_there_is_prints_itself() -> None:
    [(kind, rows)] = ho.list("metrics")
    assert kind == "metrics" and any(name == "nDCG" for name, *_ in rows) and "nDCG" in repr(ho.list("metrics"))
    assert repr(ho.describe("nDCG")).startswith("nDCG (metric") and "Formula" in repr(ho.describe("nDCG"))
    with pytest.raises(UnknownNameError):
        ho.describe("nonsense")
    with refused(SpecError, found="dict", expected="a component", hint="ho.profile(ratings)"):
        ho.describe({"user": [1]})  # type: ignore[arg-type]
