"""Test sets and runs encoded, how runs are judged, and facts about their lists."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import refused
from tests.review.lint.cases import short_run

import heldout as ho
from heldout.errors import InputError, NoticeWarning, UnknownNameError
from heldout.experiment.evaluate import is_same_for_all, list_facts
from heldout.experiment.run_judging import encode, run_protocol
from heldout.tables import Rankings
from heldout.tables.arrays import frozen
from heldout.tables.vocabulary import codes_among


def test_items_exist_where_they_are_rated_or_recommended() -> None:
    """Of a, b, c, d, e: a and b are tested, c trains, d is ranked by this run and e only by another."""
    test, runs = {"u": {"a": 1}, "v": {"b": 1}}, {"A": {"u": ["a", "d"]}, "B": {"u": ["e"]}}
    for train, size in (({"u": {"c": 1}}, 4), (None, 3)):
        qrels, frames = encode(test, runs, train)
        assert qrels.test.items.ids.tolist() == [*"ab", *("c" if train else ""), *"de"]
        assert qrels.catalogue_size(frames["A"]) == size


def test_a_test_set_that_is_encoded_is_not_encoded_again() -> None:
    """A loop over epochs passes the same ratings; the lists of one epoch hold an item that nobody rated."""
    test = ho.read({"u": {"a": 5, "b": 3}, "v": {"a": 4}})
    qrels, _ = encode(test, {"run": {"u": ["b"], "v": ["a"]}})
    assert qrels.test is test
    qrels, _ = encode(test, {"run": {"u": ["c", "a"], "x": ["a"]}})
    assert qrels.test.items.ids.tolist() == ["a", "b", "c"] and qrels.test.users is test.users
    assert qrels.test.to_polars().equals(test.to_polars())
    assert ho.measure(test, {"u": ["c", "a"], "v": ["b"]}, "RR", relevance="threshold(4)")["RR"].to_list() == [0.5, 0.0]


def test_ratings_without_a_row_are_refused() -> None:
    test = ho.read({"u": {"a": 5}})
    nothing = test.select(np.zeros(1, bool))
    for qrels, train, file in ((nothing, None, "test set"), (test, nothing, "training set")):
        with refused(InputError, file=file, found=0, expected="at least one rating"):
            encode(qrels, {"run": {"u": ["a"]}}, train)


def test_ids_of_ratings_and_runs_may_be_numbers_or_texts() -> None:
    test = {"user": [7, 8], "item": [1, 2], "rating": [1, 1]}
    qrels, frames = encode(test, {"A": {"7": ["2", "x"]}, "B": {7: [1]}})
    assert qrels.test.items.ids.tolist() == ["1", "2", "x"]
    assert codes_among(qrels.test.users, frames["A"].users).tolist() == [0]
    assert frames["A"].item.tolist() == [1, 2] and frames["B"].item.tolist() == [0]


def test_users_who_are_not_tested_are_left_out_and_counted() -> None:
    test, train = {"u": {"a": 1}}, {"v": {"a": 1}}
    with pytest.warns(NoticeWarning, match="2 users"):
        frame = ho.measure(test, {"u": ["a"], "v": ["b"], "x": ["a", "b"]}, "P@1", train=train, relevance="threshold(1)")
    assert frame["user_id"].to_list() == ["u"]
    with refused(InputError, where="run", found="x", expected="users of the test set"):
        ho.measure(test, {"x": ["a"], "y": ["a"]}, "P@1", relevance="threshold(1)")


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
        unread, relevance="threshold(4)", target="AllItems", unrated="zero", ties=["item", "trec"], seed=3
    )
    assert [str(rule) for rule in protocol.relevance] == ["threshold(tau=4)"]
    assert [str(rule) for rule in protocol.ties] == ["item", "trec"]
    assert protocol.seed == 3
    assert protocol.guess is None


def test_a_rule_is_guessed_from_distinct_ratings() -> None:
    grades = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1, 1, 5, 8, 3])
    protocol = run_protocol(lambda: grades, relevance=None, target="AllItems", unrated="zero", ties="item", seed=1)
    assert protocol.guess is not None
    assert str(protocol.guess.rule) == "threshold(tau=4)"


def test_a_wrong_option_names_its_stage() -> None:
    with refused(UnknownNameError, where="ties", found="x", hint="known: expected, file, item, random, trec"):
        run_protocol(
            lambda: (np.ones(1), np.ones(1, np.int64)),
            relevance=None,
            target="AllItems",
            unrated="zero",
            ties="x",
            seed=1,
        )
