"""Dense matrices of ratings and scores."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import read
from heldout.data.frames import run_from_frame
from heldout.errors import InputError


def test_a_dense_matrix_of_ratings() -> None:
    matrix = np.array([[5.0, np.nan], [np.nan, 3.0]])
    assert read(matrix).to_polars().rows() == [(0, 0, 5.0), (1, 1, 3.0)]
    with pytest.raises(InputError, match="the matrix has 2 zeros"):
        read(np.nan_to_num(matrix))


def test_a_dense_matrix_of_scores() -> None:
    run = run_from_frame(np.array([[0.5, -np.inf, 0.0], [np.nan, 2.0, -1.0]]))
    rows = list(zip(run.user_id, run.item_id, run.score.tolist(), strict=True))
    assert rows == [(0, 0, 0.5), (0, 2, 0.0), (1, 1, 2.0), (1, 2, -1.0)]
