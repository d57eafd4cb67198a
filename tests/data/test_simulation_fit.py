"""The law of a data set, found again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from heldout.data.profile import gini
from heldout.data.readers import Simulate
from heldout.data.simulation_fit import fitted, popularity_fit
from heldout.data.world import MOVIELENS_PRIOR
from heldout.errors import InputError


def test_the_law_is_found_again() -> None:
    place = np.arange(1, 2001)
    alpha, c1, c2 = popularity_fit(np.round(2000 + 1e7 * (10 + place) ** -1.0).astype(np.int64))
    assert (alpha, c1, c2) == (pytest.approx(1, abs=0.02), pytest.approx(2000, rel=0.03), pytest.approx(10, rel=0.05))


def test_simulated_data_like_simulated_data() -> None:
    first = Simulate(users=800, items=400, ratings=30_000, alpha=1.3, c1=2.0, c2=20.0, activity=0.8, levels=4)  # type: ignore[call-arg]
    data = first.read().interactions()
    again = fitted(data, seed=5)
    assert (again.users, again.items, again.ratings, again.levels) == (800, 400, 30_000, 4)
    assert again.alpha == pytest.approx(1.3, abs=0.15)
    assert again.prior == pytest.approx(np.bincount(data.value.astype(int))[1:] / len(data), abs=1e-5)
    other = again.read().interactions()
    assert gini(other.item_counts) == pytest.approx(gini(data.item_counts), abs=0.01)
    assert gini(other.user_counts) == pytest.approx(gini(data.user_counts), abs=0.06)


def test_movielens_1m_is_fitted_as_in_the_literature(real_data: Callable[[str], Path]) -> None:
    from heldout import read

    found = fitted(read(real_data("ml-1m/ratings.dat")))
    assert (found.users, found.items, found.ratings) == (6040, 3706, 1_000_209)
    assert found.alpha == pytest.approx(1.47, abs=0.01)  # Bellogín, Castells and Cantador (2017): α ~ 1.4
    assert found.prior == pytest.approx(MOVIELENS_PRIOR, abs=0.001)


def test_too_little_to_fit() -> None:
    with pytest.raises(InputError, match="too few to fit"):
        fitted(Simulate(users=2, items=2, ratings=4).world().interactions)
