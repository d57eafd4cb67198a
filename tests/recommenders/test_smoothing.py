"""Smoothed language models of users."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recommenders.language_models import SMOOTHINGS, smoothed_models

from heldout import catalogue
from heldout.errors import SpecError
from heldout.recommenders import RM1, RM2
from heldout.recommenders.language.smoothing import language_models
from heldout.recommenders.matrix import by_user


@pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS)
def test_language_models_sum_to_one(smoothing, amount, some_ratings):
    cells = some_ratings.to_csr().toarray()
    found = language_models(by_user(some_ratings), 40, smoothing, amount)
    seen = np.zeros(cells.shape)
    seen[some_ratings.user, some_ratings.item] = found.seen.values
    made = seen + found.rest[:, None] * found.common
    np.testing.assert_allclose(made.sum(1), 1)
    known = np.arange(90) != 7
    np.testing.assert_allclose(made[known], smoothed_models(cells[known], smoothing, amount), atol=1e-12)


def test_amounts_that_a_smoothing_cannot_have():
    with pytest.raises(SpecError, match="jelinek_mercer and must be at most 1, found 20"):
        RM2(smoothing="jelinek_mercer", amount=20)
    with pytest.raises(SpecError, match="at least 1e-06"):
        RM1(amount=0)
    assert catalogue.make("recommender", "RM2(smoothing=dirichlet, µ=20)") == RM2(smoothing="dirichlet", amount=20)
