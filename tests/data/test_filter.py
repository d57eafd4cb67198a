"""What every filter tells of itself."""

from __future__ import annotations

import numpy as np

from heldout.data.random_choice import lowest, wanted


def test_how_many_and_which() -> None:
    assert [wanted(x, 10, "things") for x in (0.25, 0.05, 1, 10)] == [3, 1, 1, 10]
    assert lowest(np.array([0.5, 0.1, 0.5, 0.5]), 2).tolist() == [True, True, False, False]
    assert lowest(np.array([0.5, 0.1]), 2).all()
