"""Items tested equally often."""

from __future__ import annotations

import numpy as np
from tests.targets.judging import judged_under

from heldout.tables import Interactions, Split, Vocabulary


def test_equally_tested_items_make_a_uniform_target() -> None:
    users, items = Vocabulary.numbered(4), Vocabulary.numbered(5)
    test = Interactions.build(users, items, np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), np.full(4, 5.0))
    train = Interactions.build(users, items, np.array([0, 0, 1]), np.array([2, 3, 4]), np.full(3, 5.0))
    judged = judged_under(Split(train=train, test=test), np.random.default_rng(0).random((4, 5)), "UAR")
    assert judged.targets.tolist() == [2, 2, 2, 2]
    assert judged_under(Split(train=train, test=test), np.zeros((4, 5)), "U1R(1)").targets.tolist() == [2, 2, 2, 2]
