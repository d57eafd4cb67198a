"""No winner rests on what users count as whom some systems do not serve."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.sentences import UNCALLED
from heldout.analysis.statistics import Served
from heldout.tables import ProtocolKey, Vocabulary


def runs(covered: int, *, users: int = 40) -> tuple[dict[str, list[Any]], dict[str, dict[str, list[Any]]]]:
    """Every user likes x. A gives it to everybody at rank 2 but for four at rank 1; B gives it first, to `covered` users."""
    names = [f"u{k:02d}" for k in range(users)]
    test = {"user": names, "item": ["x"] * users, "rating": [5] * users}
    lists = [("x", "y") if k % 10 == 0 else ("y", "x") for k in range(users)]
    a = {
        "user": [u for u in names for _ in range(2)],
        "item": [i for one in lists for i in one],
        "score": [2.0, 1.0] * users,
    }
    b = {"user": names[:covered], "item": ["x"] * covered, "score": [1.0] * covered}
    return test, {"A": a, "B": b}


def judged(covered: int, **options: Any) -> Any:
    test, systems = runs(covered)
    return ho.evaluate(test, systems, ["RR"], relevance="threshold(4)", **options)


def test_fewer_than_half_of_the_users_served_make_no_winner() -> None:
    """A has (4 · 1 + 36 · ½)/40 = 0.55; B has 1 for 10 of 40 users, 0.25 over all."""
    results = judged(10)
    (row,) = results.findings.verdict.rows
    assert (row.leader, row.users, row.served, row.significant, row.remark) == ("A", 40, 10, False, "few users served")
    assert row.p_adjusted is not None and row.p_adjusted < 0.05  # which called A the winner
    verdict = results.findings.verdict
    assert verdict.answer == UNCALLED and verdict.uncalled == (row,)
    assert verdict.numbers.startswith("Only 10 of the 40 users (25.0%) are served by every system.")
    assert "A leads (0.5500, +0.3000 over B); with the others left out, B leads (1.0000, +0.4500 over A)." in verdict.numbers
    assert "fallback" in results.verdict and "with_train" in results.verdict


def test_no_form_calls_the_winner_that_the_verdict_does_not_call() -> None:
    test, systems = runs(10)
    results = ho.evaluate(test, systems, ["RR", "P@1"], relevance="threshold(4)")
    document = results.document
    assert document.answer == UNCALLED and "p <" not in document.numbers[0].plain
    assert {figure.question for figure in document.figures} <= {"What should I doubt?"}
    settings = results.tables["settings"]
    assert settings.values("Leader") == settings.values("p adjusted") == [None, None]
    assert settings.values("Remark") == ["not called: few users served"] * 2 and not settings.strong
    assert "No winner is called: the leader leads among users" in results.tables["leaderboard"].caption
    assert "No winner is called" in results.tables["pairs"].caption
    assert not results.tables["leaderboard"].strong
    assert UNCALLED in repr(results) and "A wins" not in repr(results)


def test_leaders_that_differ_with_the_unserved_make_no_winner() -> None:
    """20 of 40 served: A 0.55 and B 0.5 over all; on those 20 B is far ahead."""
    results = judged(20)
    (row,) = results.findings.verdict.rows
    assert (row.leader, row.remark, row.significant) == ("A", "depends on the users not served", False)
    assert results.verdict.startswith(f"{UNCALLED} 20 of the 40 users (50.0%) are served by every system.")
    left = judged(20, coverage="intersection")
    assert left.findings.verdict.rows[0].leader == "B" and left.findings.verdict.answer == UNCALLED


def test_a_winner_either_way_says_on_whom_it_rests() -> None:
    results = judged(36)
    (row,) = results.findings.verdict.rows
    assert (row.leader, row.served, row.refused, row.significant) == ("B", 36, "", True)
    assert results.verdict.startswith("B wins. RR is 0.900, against 0.550 for A") and ", 40 users)" in results.verdict
    assert results.verdict.endswith(
        "36 of the 40 users (90.0%) are served by every system; the others count as if they were recommended nothing."
    )
    assert "served" not in judged(40).verdict


def test_forgiving_the_unserved_makes_no_winner_of_whom_both_other_ways_deny() -> None:
    """B's forgiven 1.0 leads, though A leads where the unserved count as zero."""
    results = judged(20, coverage="forgive")
    assert results.findings.verdict.rows[0].leader == "B" and results.findings.verdict.answer == UNCALLED


def test_a_tie_with_the_leader_is_no_contradiction() -> None:
    both = Served(10, 8, as_zero=(0.5, 0.4), common=(0.5, 0.5))
    assert not both.depends(0, higher=True) and both.depends(1, higher=True)
    assert Served(10, 5, (0.5,), (0.5,)).few is False and Served(10, 4).few is True


def test_folds_serve_a_user_only_where_every_fold_does() -> None:
    """Users 0 and 1 in two folds each, user 2 in one: the second system has no list for user 1 in one of them."""
    length = np.array([[9.0, 9, 9, 9, 9], [9.0, 9, 9, 0, 9]])
    protocol = ProtocolKey(
        data="d",
        filter="none",
        split="s",
        users="u",
        fallback="none",
        relevance="r",
        target="t",
        unrated="zero",
        ties="item",
    )
    table = AlignedScores(
        protocol=protocol,
        systems=("A", "B"),
        metrics=("P@1",),
        vocabulary=Vocabulary.numbered(3),
        user=np.arange(3, dtype=np.int32),
        row=np.array([0, 0, 1, 1, 2]),
        fold=np.array([0, 1, 0, 1, 0]),
        values=np.zeros((2, 1, 5)),
        length=length,
        computed=length,
        lists=np.ones(5),
        cell_counts={},
        denominators={},
        measured=np.ones((2, 1), dtype=np.bool_),
    )
    assert (len(table), table.served_users()) == (3, 2)


def test_movielens_split_in_time(real_data: Callable[[str], Path]) -> None:
    """64% of the test users have no training ratings: Popularity serves them all, neighbours none of them."""
    path = real_data("ml-100k/u.data")
    study = {"data": str(path), "split": "temporal(at=0.8)", "recommend": ["Popularity", "UserKNN(k=50)"], "metrics": "P@10"}
    assert ho.run(study).verdict.startswith(f"{UNCALLED} Only 109 of the 301 users (36.2%)")
    reached = ho.run(study | {"users": [["with_train", "with_test"]]})
    assert "served" not in reached.verdict and reached.findings.verdict.rows[0].users == 109


def test_of_runs_made_elsewhere_the_advice_begins_with_what_can_be_done() -> None:
    qrels = {f"u{k}": {"a": 1, "b": 0} for k in range(30)}
    right, wrong = {"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}
    some = {f"u{k}": right for k in range(20)}
    everyone = {f"u{k}": right if k % 10 < 8 else wrong for k in range(30)}
    verdict = ho.evaluate(qrels, {"some": some, "all": everyone}, ["P@1"], relevance="threshold(1)").verdict
    assert "20 of the 30 users (66.7%) are served by every system" in verdict
    assert (
        "all leads (0.8000, +0.1333 over some); with the others left out, some leads (1.0000, +0.2000 over all)" in verdict
    )
    assert "over all). Leave out the systems that serve few; or, in a study that fits them, name a fallback" in verdict


def test_a_multiverse_calls_no_winner_where_few_users_are_served() -> None:
    """B scores nothing for 3 users in 4; A scores at random, and wins over all users because B has zeros there."""
    ratings = ho.make("reader", "simulate(users=120, items=60, ratings=3600)").read().interactions()
    keys = {"data": ratings, "split": "ratio(train=0.7, by=user)", "recommend": [], "metrics": "P@5", "compare": "t"}

    def rest(every: int) -> Any:
        def score(users: Any) -> Any:
            scores = np.random.default_rng(1).random((120, 60))[users]
            scores[users % every != 0] = np.nan
            return scores

        return score

    class Model:
        def __init__(self, every: int) -> None:
            self.score = rest(every)

        def fit(self, train: Any) -> None:
            """Nothing is learnt."""

    shares = {}
    for every in (1, 4):
        study = {**keys, "recommend": ["Popularity"], "coverage": ["zero", "intersection"]}
        found = ho.multiverse(study, models={"B": Model(every)})
        rows = found.tables["universes"].frame
        assert rows is not None
        shares[every] = rows["served"].unique().to_list()
        (pair,) = found.findings.pairs
        if every == 4:
            assert pair.shares.unserved == pair.shares.universes and rows["winner"].to_list() == [0, 0]
            assert rows["p_adjusted"].min() < 0.05  # which called a winner
            assert pair.stability.sentence == (
                "No winner is called between Popularity and B: fewer than half of the users have a list of both in 2 of 2 "
                "universes. In 1 of 2 universes the averages rest on other users than under the first options (30 instead "
                "of 120)."
            )
        else:
            assert pair.shares.unserved == 0 and "have a list" not in pair.stability.sentence
    assert shares[1] == [1.0]
    assert shares[4] == [pytest.approx(0.25, abs=0.02)]
