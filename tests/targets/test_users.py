"""Whom each rule tests."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.tables import Interactions, Split, Vocabulary

USERS, ITEMS = Vocabulary.numbered(5), Vocabulary.numbered(6)


def rows(pairs: list[tuple[int, int, float]]) -> Interactions:
    user, item, value = zip(*pairs, strict=True)
    return Interactions.build(USERS, ITEMS, np.array(user), np.array(item), np.array(value, dtype=np.float64))


# User 0 trains twice and has test ratings 5 and 2; user 1 is new, with 4 and 4; user 2 has only 3; user 3 is not tested;
# user 4 has no rating at all.
SPLIT = Split(
    train=rows([(0, 0, 3), (0, 1, 3), (2, 0, 5), (3, 0, 5)]),
    test=rows([(0, 2, 5), (0, 3, 2), (1, 2, 4), (1, 3, 4), (2, 4, 3)]),
)


@pytest.mark.parametrize(
    ("rule", "users"),
    [
        ("all", [0, 1, 2, 3, 4]),
        ("with_test", [0, 1, 2]),
        ("with_test(2)", [0, 1]),
        ("with_train", [0, 2, 3]),
        ("with_train(min=2)", [0]),
        ("with_relevant", [0, 1]),
        ("with_relevant(2)", [1]),
    ],
)
def test_each_rule(rule: str, users: list[int]) -> None:
    mask = make("users", rule).keep(SPLIT, make("relevance", "threshold(4)"))
    assert np.flatnonzero(mask).tolist() == users
