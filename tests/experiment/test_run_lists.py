"""Lists of runs under other targets than AllItems, and how many items there are to rank."""

from __future__ import annotations

import numpy as np
import polars as pl
from tests.refusals import refused
from tests.review.lint.cases import short_run

from heldout.data.memory import InMemory
from heldout.errors import UnknownNameError
from heldout.experiment.run_lists import catalogue_size, is_same_for_all, list_facts
from heldout.experiment.run_protocol import run_protocol
from heldout.tables import Interactions, Rankings, Vocabulary
from heldout.tables.arrays import frozen

SOURCE = InMemory(None, "test set")


def ratings(items: Vocabulary, pairs: list[tuple[str, str]]) -> Interactions:
    users = Vocabulary.of(pl.Series(["u", "v"]))
    user = users.encode(pl.Series([user for user, _ in pairs]))
    item = items.encode(pl.Series([item for _, item in pairs]))
    return Interactions.build(users, items, user, item, np.ones(len(pairs)))


def test_items_exist_where_they_are_rated_or_recommended() -> None:
    """Of a, b, c, d, e: a and b are tested, c trains, d is ranked by this run and e only by another."""
    items = Vocabulary.of(pl.Series(["a", "b", "c", "d", "e"]))
    test, train = ratings(items, [("u", "a"), ("v", "b")]), ratings(items, [("u", "c")])
    assert catalogue_size(test, train, pl.Series(["a", "d"])) == 4
    assert catalogue_size(test, None, pl.Series(["a", "d"])) == 3


def test_lists_that_end_before_the_cut_off_are_counted_once() -> None:
    """u1 has two candidates among the test items and the run holds one of them."""
    notices = [n.message for n in short_run("TestItems").findings.notices if n.code == "HO105"]
    assert notices == ["Under TestItems lists of A hold fewer than 2 candidates (1 of 2)"]


def rankings(*lists: str) -> Rankings:
    """One list of items, a letter each, per user."""
    indptr = np.append(0, np.cumsum([len(items) for items in lists]))
    item = np.array([ord(letter) - ord("a") for items in lists for letter in items])
    users = frozen(np.arange(len(lists)), np.int32)
    return Rankings(users, frozen(indptr, np.int64), frozen(item, np.int32), frozen(-np.arange(len(item)), np.float64))


def test_lists_of_one_order_are_the_same_for_all() -> None:
    assert is_same_for_all(rankings("abc", "abc")) and is_same_for_all(rankings("a", "a"))
    assert is_same_for_all(rankings("abcd", "abcd", "acd", "abd", "", "bcd"))  # each leaves out what is known
    assert not is_same_for_all(rankings("abc", "acb")) and not is_same_for_all(rankings("ab", "bc", "ca"))
    assert not is_same_for_all(rankings("ab", "cd", "ef"))  # no pair recurs, so nothing says that they agree
    assert (
        not is_same_for_all(rankings("a", "b")) and not is_same_for_all(rankings("abc")) and not is_same_for_all(rankings())
    )
    assert list_facts(rankings("ab", "abc")) == {"longest": 3, "same_for_all": True}
    assert list_facts(rankings()) == {"longest": 0, "same_for_all": False}


def test_popularity_is_the_same_for_all_and_lists_of_chance_are_not() -> None:
    draw = np.random.default_rng(4)
    for _ in range(20):
        known = draw.random((300, 26)) < 0.3
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
        assert is_same_for_all(rankings(*("".join(letters[~row][:8]) for row in known)))
        chance = ["".join(draw.permutation(letters)[:8]) for _ in range(300)]
        assert not is_same_for_all(rankings(*chance))
        one_swap = ["".join(letters[~row][:8]) for row in known]
        one_swap[250] = one_swap[250][::-1]
        assert not is_same_for_all(rankings(*one_swap))


def test_a_rule_that_is_written_needs_no_ratings() -> None:
    def unread() -> tuple[np.ndarray, np.ndarray]:
        raise AssertionError("the ratings are not asked for")

    protocol = run_protocol(
        SOURCE, unread, relevance="threshold(4)", target="AllItems", unrated="zero", ties=["item", "trec"], seed=3
    )
    assert [str(rule) for rule in protocol.relevance] == ["threshold(tau=4)"]
    assert [str(rule) for rule in protocol.ties] == ["item", "trec"]
    assert protocol.seed == 3
    assert protocol.guess is None


def test_a_rule_is_guessed_from_distinct_ratings() -> None:
    grades = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1, 1, 5, 8, 3])
    protocol = run_protocol(SOURCE, lambda: grades, relevance=None, target="AllItems", unrated="zero", ties="item", seed=1)
    assert protocol.guess is not None
    assert str(protocol.guess.rule) == "threshold(tau=4)"


def test_a_wrong_option_names_its_stage() -> None:
    with refused(UnknownNameError, where="ties", found="x", hint="known: expected, file, item, random, trec"):
        run_protocol(
            SOURCE,
            lambda: (np.ones(1), np.ones(1, np.int64)),
            relevance=None,
            target="AllItems",
            unrated="zero",
            ties="x",
            seed=1,
        )
