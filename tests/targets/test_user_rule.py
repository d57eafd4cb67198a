"""Who is tested: each rule by hand, chained, and counted rule by rule."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import make
from heldout.tables import Interactions, Split, Vocabulary
from heldout.targets.user_rule import chosen, left_by

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


def test_a_chain_and_its_counts() -> None:
    chain = [make("users", text) for text in ("with_test", "with_train", "with_relevant")]
    relevance = make("relevance", "threshold(4)")
    assert np.flatnonzero(chosen(chain, SPLIT, relevance)).tolist() == [0]
    assert left_by(chain, SPLIT, relevance) == (("all users", 5), ("with_test", 3), ("with_train", 2), ("with_relevant", 1))
    lower = make("relevance", "threshold(3)")
    assert left_by(chain, SPLIT, lower)[-1] == ("with_relevant", 2)
