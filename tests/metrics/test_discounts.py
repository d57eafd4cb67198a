"""What is left of a gain at each rank, by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from heldout.catalogue import classes, make
from heldout.errors import SpecError

BY_HAND = {
    "log2": [1, 1 / np.log2(3), 1 / 2, 1 / np.log2(5)],
    "zipf": [1, 1 / 2, 1 / 3, 1 / 4],
    "rbp(0.5)": [1, 1 / 2, 1 / 4, 1 / 8],
    "half_life(3)": [1, 2**-0.5, 1 / 2, 2**-1.5],  # rank 3 keeps half
    "jarvelin(2)": [1, 1, log(2) / log(3), 1 / 2],  # ranks below the base keep all
    "table([1, 0.5])": [1, 1 / 2, 0, 0],  # nothing beyond the table
}


@pytest.mark.parametrize("discount", BY_HAND)
def test_by_hand(discount: str) -> None:
    np.testing.assert_allclose(make("discount", discount).weight(np.arange(1.0, 5)), BY_HAND[discount], rtol=1e-14)


def test_every_discount_has_a_case() -> None:
    without = {cls.key for cls in classes("discount")} - {discount.split("(")[0] for discount in BY_HAND}
    assert not without, f"add a case to BY_HAND, worked out by hand: {without}"


@pytest.mark.parametrize("weights", ["[]", "[0, 0]", "[1, -1]", "[0.5, 1]"])
def test_tables_that_are_no_discount(weights: str) -> None:
    with pytest.raises(SpecError, match="discount"):
        make("discount", f"table({weights})")
