"""A fold that is copied for other processes is the same fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heldout.experiment.fold_copy import copied_fold, copy_fold
from heldout.tables import Interactions, Split, Vocabulary


@pytest.mark.parametrize("ids", [np.array([7, 9, 12]), np.array(["a", "ä", "7"], dtype=object)])
def test_a_copy_has_the_digest_of_the_fold(ids: np.ndarray, tmp_path: Path) -> None:
    users, items = Vocabulary(ids), Vocabulary.numbered(4)
    rows = np.array([0, 1, 2]), np.array([3, 0, 1]), np.array([1.0, 2.5, np.pi])
    train = Interactions.build(users, items, *rows, time=np.array([5, 6, 7]))
    test = Interactions.build(users, items, np.array([0]), np.array([1]), np.array([4.0]))
    copy_fold(tmp_path / "fold", Split(train=train, test=test, fold=2), np.array([0], dtype=np.int32))
    split, tested = copied_fold(tmp_path / "fold", 2)
    assert split.digest == Split(train=train, test=test, fold=2).digest
    assert split.train.time is not None and split.test.time is None
    np.testing.assert_array_equal(tested, [0])
    assert not split.train.value.flags.writeable
    assert [p.name for p in tmp_path.iterdir()] == ["fold"]  # nothing is left of the making
