"""What rules read off results is what the report shows."""

from __future__ import annotations

import heldout as ho
from heldout.review.lint.evidence import DataCounts, evidence_of

KEYS = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "filters": [["core(5)"]],
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "metrics": "P@5",
    "compare": {"tests": ["t", "bayes"]},
}


def test_rows_are_those_of_the_facts() -> None:
    facts = ho.run(KEYS).findings
    evidence = evidence_of(facts)
    assert [(row.system, row.value, row.place) for row in evidence.systems] == [
        (row.system, row.value, "P@5 (AllItems, threshold(tau=4), ratio(train=0.7, by=user), mean)")
        for row in facts.leaderboard
    ]
    by_t, by_bayes = evidence.pairs
    assert by_t.p == facts.comparisons[0].p_adjusted and by_t.answered
    assert by_bayes.p is None and by_bayes.answered  # by figures of its own
    assert evidence.folds[0].test == facts.splits[0].test
    assert 0 < evidence.data[0].kept("ratings") <= 1
    assert [n.code for n in evidence.notices] == [n.code for n in facts.notices]


def test_review_compares_thresholds_with_the_true_extremes() -> None:
    values = {"edges": [1.0, 51.0, 101.0], "counts": [40, 1]}
    counts = DataCounts("d", "none", {}, {"values": values})
    assert counts.extremes() == (1.0, 101.0)
    assert DataCounts("d", "none", {}, {"values": {"edges": [], "counts": []}}).extremes() is None


def test_what_was_left_of_nothing_is_all_of_it() -> None:
    assert DataCounts("d", "none", {"users": 0}, {"users": 0}).kept("users") == 1.0
    assert DataCounts("d", "core(k=2)", {"users": 8}, {"users": 2}).kept("users") == 0.25


def test_distinct_ratings_with_their_numbers() -> None:
    values = {"edges": [1.0, 2.0, 5.0], "counts": [3, 0, 4]}
    assert DataCounts("d", "none", {}, {"values": values}).rated() == [(1.0, 3), (5.0, 4)]
