"""Ratings as sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import SpecError
from heldout.recommenders.matrix import by_item, csr, transposed

CELLS = [[5, 3, 0], [0, 4, 0]]


def test_csr_covers_the_vocabularies_and_is_its_own(ratings):
    train = ratings(CELLS)
    made = csr(train)
    np.testing.assert_array_equal(made.toarray(), CELLS)
    np.testing.assert_array_equal(csr(train, "binary").toarray(), [[1, 1, 0], [0, 1, 0]])
    made.data[:] = 0
    assert train.value.tolist() == [5, 3, 4]


def test_transposed(ratings):
    made = transposed(by_item(ratings(CELLS)), 2)
    assert [part.tolist() for part in made] == [[0, 2, 3], [0, 1, 1], [5, 3, 4]]


def test_other_values_are_refused(ratings):
    with pytest.raises(SpecError, match="rating or binary"):
        csr(ratings(CELLS), "ratings")
