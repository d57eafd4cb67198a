"""Lists of one relevant item among sampled ones."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.measure.judge import judge_ranks
from heldout.measure.measuring import measure
from heldout.tables import Interactions, Vocabulary
from heldout.target.ranker import Ranks

USERS, ITEMS = Vocabulary.numbered(3), Vocabulary.numbered(9)
# user 0 rated items 0, 1, 2 with 5, 5, 3; user 1 rated item 3 with 2; user 2 rated items 4 and 5 with 5 and 4
TEST = Interactions.build(
    USERS, ITEMS, np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 3, 4, 5]), np.array([5.0, 5, 3, 2, 5, 4])
)
TARGET = make("target", "OnePlusRandom(4, relevance=threshold(5))")
# item 0 ranks first, item 1 fourth; item 4 could not be scored and is not ranked
RANKS = Ranks(
    TARGET,
    TEST.user_indptr,
    np.array([1, 4, 2, 1, 0, 2], np.int32),
    np.zeros(6, np.int32),
    np.zeros(6, np.int32),
    np.array([4, 4, 3], np.int32),
    np.array([4, 4, 3], np.int32),
    np.array([4, 4, 4], np.int32),
    np.array([1, 1, 1, 1, 0, 1], bool),
    np.ones(6, bool),
)
JUDGED = judge_ranks(RANKS, TARGET.own_relevance.judge(TEST, np.arange(3, dtype=np.int32), 5.0))


def test_one_list_for_each_relevant_rating() -> None:
    assert JUDGED.owner.tolist() == [0, 0, 2]
    assert JUDGED.length.tolist() == [5, 5, 3]
    assert JUDGED.targets.tolist() == [5, 5, 5]
    assert JUDGED.computed.tolist() == [5, 5, 3]


@pytest.mark.parametrize(
    ("metric", "of_user_0"),
    [
        ("P@2", (1 / 2 + 0) / 2),
        ("Recall@2", (1 + 0) / 2),
        ("AP", (1 + 1 / 4) / 2),
        ("RR", (1 + 1 / 4) / 2),
        ("nDCG", (1 / log2(2) + 1 / log2(5)) / 2),
        ("nDCG(gain=binary)@2", (1 + 0) / 2),
        ("bpref", 1.0),
        ("Rho@2", 1 / 5),
    ],
)
def test_values_are_means_over_the_users_lists(metric: str, of_user_0: float) -> None:
    measured = measure(JUDGED, [make("metric", metric)])
    assert measured.values[0, 0] == pytest.approx(of_user_0)
    assert np.isnan(measured.values[1, 0])  # no relevant rating, no list
    assert measured.lists.tolist() == [2, 0, 1]


def test_an_unranked_item_scores_zero() -> None:
    assert measure(JUDGED, [make("metric", "RR"), make("metric", "Recall")]).values[2].tolist() == [0.0, 0.0]
