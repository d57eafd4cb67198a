"""Relevance of test ratings: of some users, beside training ratings, and none at all."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.errors import InputError
from heldout.tables import Background, Interactions, Vocabulary
from heldout.targets.relevance_rule import refuse_irrelevant

USERS, ITEMS = Vocabulary.numbered(3), Vocabulary.numbered(4)


def ratings(*rows: tuple[int, int, float], utility: bool = False) -> Interactions:
    user, item, value = np.array(rows).T
    return Interactions.build(
        USERS, ITEMS, user.astype(int), item.astype(int), value, utility=value * 10 if utility else None
    )


TEST = ratings((0, 0, 5), (0, 1, 3), (2, 1, 2), (2, 2, 4), utility=True)
TRAIN = ratings((0, 3, 1), (2, 0, 5), (2, 3, 5))
ABSOLUTE, RELATIVE = make("relevance", "threshold(4)"), make("relevance", "user_mean")


def test_a_relative_rule_looks_at_training_ratings_too() -> None:
    """User 0 rated 5 and 3 in test (mean 4) and 1 in train (3 in all); user 2 rated 2 and 4, and 5 and 5 (4 in all)."""
    assert ABSOLUTE.of_test(TEST, TRAIN).tolist() == [True, False, False, True]
    alone, beside = RELATIVE.of_test(TEST, None).tolist(), RELATIVE.of_test(TEST, TRAIN).tolist()
    assert alone == [True, False, False, True]
    assert beside == RELATIVE.relevant(np.array([1, 5, 3, 5, 5, 2, 4.0]), np.array([0, 3, 3, 7]))[[1, 2, 5, 6]].tolist()
    assert beside != alone


@pytest.mark.parametrize("rule", [ABSOLUTE, RELATIVE], ids=str)
def test_users_are_judged_the_same_alone_and_among_others(rule: object) -> None:
    every = rule.judge(TEST, np.array([0, 1, 2]), 5.0, train=TRAIN)  # type: ignore[attr-defined]
    last = rule.judge(TEST, np.array([2]), 5.0, train=TRAIN)  # type: ignore[attr-defined]
    assert every.rated.tolist() == [2, 0, 2] and last.item.tolist() == [1, 2] and last.grade.tolist() == [2, 4]
    assert last.relevant.tolist() == every.relevant[2:].tolist()
    assert last.utility is not None and last.utility.tolist() == [20, 40]
    assert (last.top_grade, last.rule, last.users.tolist()) == (5.0, str(rule), [2])


def test_the_background_brings_the_training_ratings() -> None:
    background = Background(items=ITEMS, train=TRAIN)
    judged = RELATIVE.judge(TEST, np.array([0, 2]), 5.0, background=background)
    assert judged.relevant.tolist() == RELATIVE.of_test(TEST, TRAIN).tolist()
    assert judged.background is background


def test_positives_are_counted_in_both_parts() -> None:
    """From 4 on: items 0 (user 0 in test, user 2 in train), 2 and 3."""
    assert ABSOLUTE.positives(TRAIN, TEST).tolist() == [2, 0, 1, 1]


def test_a_test_set_without_anything_relevant_is_refused_unless_ratings_are_predicted() -> None:
    rule = make("relevance", "threshold(6)")
    with pytest.raises(InputError, match=r"under threshold\(tau=6\): the highest is 5; choose .* such as threshold\(5\)"):
        refuse_irrelevant(rule, TEST, TRAIN, [("predict_ratings",), ("some_good_items",)])
    refuse_irrelevant(rule, TEST, TRAIN, [("predict_ratings",)])
    refuse_irrelevant(ABSOLUTE, TEST, TRAIN, [("some_good_items",)])
