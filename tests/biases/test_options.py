"""What is asked about biases, and what makes no sense."""

from __future__ import annotations

from typing import Any

import pytest

from heldout.biases.options import BiasOptions
from heldout.errors import HeldoutError


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("sweeps", ("removd",), "unknown sweep 'removd'"),
        ("removed", (0.2, 1.0), "at least 0 and below 1"),
        ("heads", (-0.1,), "at least 0 and below 1"),
        ("lists", (1,), "at least 2 items"),
        ("class_counts", (0,), "at least 1 class"),
        ("alphas", (-1.0,), "a skew is at least 0"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(field: str, value: Any, message: str) -> None:
    with pytest.raises(HeldoutError, match=message) as error:
        BiasOptions(**{field: value})
    assert error.value.where == field
