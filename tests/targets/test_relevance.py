"""Rules of relevance and of users."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.refusals import refused

from heldout.catalogue import make
from heldout.errors import InputError
from heldout.tables import Background, Interactions, Split, Vocabulary
from heldout.targets.relevance.by_scale import guess_relevance
from heldout.targets.relevance_rule import refuse_irrelevant
from heldout.targets.user_rule import chosen, left_by


def test_relevance_rules_by_hand() -> None:
    grade, indptr = np.array([2.0, 3, 5, 4, 4, 1, 3]), np.array([0, 3, 5, 5, 7])
    for text, wanted in (
        ("threshold(4)", [0, 0, 1, 1, 1, 0, 0]),
        ("user_mean", [0, 0, 1, 1, 1, 0, 1]),  # means 10/3, 4 and 2
        ("user_top(0.4)", [0, 1, 1, 1, 1, 0, 1]),  # the highest 2 of 3, 1 of 2 and 1 of 2; equal ones too
        ("user_top(1)", [1, 1, 1, 1, 1, 1, 1]),
        ("more_than(3)", [0, 0, 1, 1, 1, 0, 0]),
    ):
        assert make("relevance", text).relevant(grade, indptr).astype(int).tolist() == wanted, text


def test_a_users_own_scale_is_of_train_and_test() -> None:
    """Test rating 4 of a user with training ratings 5 and 5: below the mean of 14/3, though it is the only one in test."""
    users, items = Vocabulary.numbered(1), Vocabulary.numbered(3)
    test = Interactions.build(users, items, np.array([0]), np.array([0]), np.array([4.0]))
    train = Interactions.build(users, items, np.array([0, 0]), np.array([1, 2]), np.array([5.0, 5]))
    rule = make("relevance", "user_mean")
    assert rule.of_test(test, train).tolist() == [False]
    assert rule.of_test(test, None).tolist() == [True]
    assert rule.judge(test, np.array([0]), 5.0, train=train).relevant.tolist() == [False]


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
    with refused(
        InputError, where="relevance", found=5.0, expected="relevant under threshold(tau=6)", hint="such as threshold(5)"
    ):
        refuse_irrelevant(rule, TEST, TRAIN, [("predict_ratings",), ("some_good_items",)])
    refuse_irrelevant(rule, TEST, TRAIN, [("predict_ratings",)])
    refuse_irrelevant(ABSOLUTE, TEST, TRAIN, [("some_good_items",)])


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ([1, 2, 3, 4, 5], "threshold(4)"),  # 1 + 0.6 · 4 = 3.4, rounded up
        ([3, 4, 5], "threshold(4)"),  # the lowest ratings may be missing from a small sample
        ([0.5, 1, 3, 3.5, 4, 4.5, 5], "threshold(4)"),
        ([0, 1, 2, 3, 4, 5], "threshold(4)"),
        (list(range(1, 11)), "threshold(7)"),  # 1 + 0.6 · 9 = 6.4
        (list(range(11)), "threshold(7)"),
        ([-10, -3.2, 0.1, 4.4, 10], "threshold(2)"),  # −10 + 0.6 · 20
        ([1, 2, 3, 4], "threshold(3)"),
        ([0, 1, 2, 3, 4], "threshold(1)"),  # grades of TREC
        ([-2, -1, 0, 1, 2], "threshold(1)"),
        ([1, 2, 3], "threshold(1)"),
        ([0, 1], "threshold(1)"),
        ([1, 1, 1], "threshold(1)"),
        ([0.1, 0.5, 0.6, 1.0], "threshold(1)"),  # 0.1 + 0.6 · 0.9 = 0.64, and 1.0 is the least above
        ([1] * 8 + [3, 40], "threshold(1)"),  # quantities
        ([2, 3, 250, 352698], "threshold(2)"),  # play counts
        ([0.5, 1.5, 2.0, 700.0], "more_than(0)"),  # seconds
        ([1, 1, 2, 12], "threshold(1)"),  # 12 is more than ten times the median
        ([1e307, 1.7e308], "threshold(1e+307)"),  # counts; ten times the median would be beyond the largest number
        (list(range(101)), "user_mean"),
    ],
)
def test_the_rule_of_a_scale(values: list[float], rule: str) -> None:
    assert guess_relevance(np.array(values)).rule == make("relevance", rule)


@pytest.mark.parametrize("scale", [[1, 2, 3, 4, 5], [1, 1, 1, 2, 90], list(range(101)), [1]])
def test_it_judges_as_the_rule_that_train_and_test_together_lead_to(scale: list[float]) -> None:
    draw = np.random.default_rng(1)
    users, items = Vocabulary.numbered(20), Vocabulary.numbered(30)

    def part(first: int, last: int) -> Interactions:
        user, item = np.divmod(np.arange(20 * (last - first)), last - first)
        return Interactions.build(users, items, user, item + first, draw.choice(np.array(scale, np.float64), len(user)))

    train, test = part(0, 20), part(20, 30)
    rule: Any = guess_relevance(np.concatenate([train.value, test.value])).rule
    np.testing.assert_array_equal(make("relevance", "by_scale").of_test(test, train), rule.of_test(test, train))


USER_RULE_USERS, USER_RULE_ITEMS = Vocabulary.numbered(5), Vocabulary.numbered(6)


def rows(pairs: list[tuple[int, int, float]]) -> Interactions:
    user, item, value = zip(*pairs, strict=True)
    return Interactions.build(
        USER_RULE_USERS, USER_RULE_ITEMS, np.array(user), np.array(item), np.array(value, dtype=np.float64)
    )


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


SPLIT_USERS, SPLIT_ITEMS = Vocabulary.numbered(5), Vocabulary.numbered(6)


def users_rows(pairs: list[tuple[int, int, float]]) -> Interactions:
    user, item, value = zip(*pairs, strict=True)
    return Interactions.build(SPLIT_USERS, SPLIT_ITEMS, np.array(user), np.array(item), np.array(value, dtype=np.float64))


# User 0 trains twice and has test ratings 5 and 2; user 1 is new, with 4 and 4; user 2 has only 3; user 3 is not tested;
# user 4 has no rating at all.
HAND_SPLIT = Split(
    train=users_rows([(0, 0, 3), (0, 1, 3), (2, 0, 5), (3, 0, 5)]),
    test=users_rows([(0, 2, 5), (0, 3, 2), (1, 2, 4), (1, 3, 4), (2, 4, 3)]),
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
    mask = make("users", rule).keep(HAND_SPLIT, make("relevance", "threshold(4)"))
    assert np.flatnonzero(mask).tolist() == users
