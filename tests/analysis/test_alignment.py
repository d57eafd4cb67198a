"""Folds: rules hold in each fold, before a user's values are averaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.analysis.tiny import part
from tests.refusals import refused
from tests.reports.kept import USERS, facts_of, study_scores_of

import heldout as ho
from heldout.analysis.alignment import AlignedScores, align, refuse_group, users_of_group
from heldout.analysis.settings import aggregate_settings
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.experiment.study_scores import StudyScores
from heldout.study.file import study_from
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.cell_scores import CellScores

PROTOCOL = ProtocolKey(
    data="d",
    filter="none",
    split="folds(n=2)",
    users="with_test",
    fallback="none",
    relevance="threshold(tau=4)",
    target="AllItems",
    unrated="zero",
    ties="item",
)


def study_scores(protocol: ProtocolKey, *folds: list[tuple[float, float, int]]) -> StudyScores:
    """One system; each fold lists (value, length, lists) of users 0, 1, …"""
    parts = []
    for fold, rows in enumerate(folds):
        value, length, lists = (np.array(c, float) for c in zip(*rows, strict=True))
        scores = Scores(
            system="A",
            protocol=protocol,
            fold=fold,
            users=np.arange(len(rows), dtype=np.int32),
            metrics=("Recall@10",),
            values=value[:, None],
            length=length,
            computed=length,
            lists=lists.astype(np.int32),
        )
        parts.append(CellScores((scores,), Vocabulary.numbered(len(rows))))
    return StudyScores(parts=tuple(parts))


def value(found: StudyScores, protocol: ProtocolKey = PROTOCOL, **choices: str) -> float:
    study = study_from(
        {
            "data": "simulate(users=5, items=5, ratings=10)",
            "split": "folds(2)",
            "recommend": "Random",
            "metrics": "Recall@10",
            "target": protocol.target,
            **choices,
        }
    )
    setting = aggregate_settings(study, [align(found.parts, protocol, ["A"])])[0]
    assert setting.tallies[0].value is not None
    return setting.tallies[0].value


def test_what_is_undefined_in_one_fold_counts_zero_there_or_is_skipped_there() -> None:
    found = study_scores(PROTOCOL, [(1.0, 5, 1), (0.5, 5, 1)], [(np.nan, 5, 1), (0.5, 5, 1)])
    assert value(found, undefined="zero") == pytest.approx((0.5 + 0.5) / 2)  # user 0: (1 + 0) / 2
    assert value(found, undefined="skip") == pytest.approx((1.0 + 0.5) / 2)


def test_a_fold_that_does_not_cover_a_user_is_forgiven_there() -> None:
    found = study_scores(PROTOCOL, [(1.0, 5, 1), (0.5, 5, 1)], [(0.0, 0, 1), (0.5, 5, 1)])
    assert value(found, coverage="zero") == pytest.approx((0.5 + 0.5) / 2)
    assert value(found, coverage="forgive") == pytest.approx((1.0 + 0.5) / 2)


def test_averaging_by_rating_weighs_folds_by_their_lists() -> None:
    """One list at 1 in the first fold and nine at 0 in the second: 1 of 10 lists."""
    target = make("target", "OnePlusRandom(20, average=rating)")
    protocol = replace(PROTOCOL, target=str(target))
    found = study_scores(protocol, [(1.0, 5, 1)], [(0.0, 5, 9)])
    assert value(found, protocol) == pytest.approx(0.1)


def test_without_a_fallback_coverage_before_and_after_it_are_the_same() -> None:
    results = ho.run(
        {
            "data": "simulate(users=60, items=60, ratings=900)",
            "split": "folds(3)",
            "recommend": "UserKNN(k=1)",
            "metrics": "P@10",
        }
    )
    row = results.findings.leaderboard[0]
    assert row.coverage == pytest.approx(row.coverage_ranked)
    assert row.coverage is not None
    assert row.coverage < 1


def table(*development: int) -> AlignedScores:
    values = {"P@10": [float(user) for user in range(len(development))]}
    return align([part("A", values, counts={"development": development}, protocol=PROTOCOL)], PROTOCOL, ["A"])


def test_each_group_is_its_own_users() -> None:
    users = {group: users_of_group(table(0, 1, 0, 1), group) for group in ("evaluation", "development", "all")}
    assert {group: rows.user.tolist() for group, (rows, _) in users.items()} == {
        "evaluation": [0, 2],
        "development": [1, 3],
        "all": [0, 1, 2, 3],
    }
    assert users["development"][0].values.tolist() == [[[1.0, 3.0]]]
    # only where a development user is among those compared is no winner called
    assert [bool(why) for _, why in users.values()] == [False, True, True]
    assert users["all"][1].startswith("2 of these users are the development group")


def test_without_development_users_everybody_is_compared() -> None:
    undivided = table(0, 0, 0)
    for group in ("evaluation", "all"):
        rows, why = users_of_group(undivided, group)
        assert rows is undivided and why == ""


def test_a_fold_without_users_of_the_group_is_refused() -> None:
    users, divided = np.array([1, 3]), np.array([False, True, False, True])
    refuse_group("development", divided, users)
    refuse_group("evaluation", None, users)  # a split without groups
    refuse_group("evaluation", divided, np.array([], dtype=np.int64))  # a fold that tests nobody
    with refused(NotApplicableError, where="compare", hint="keep some for evaluation"):
        refuse_group("evaluation", divided, users)
    with refused(NotApplicableError, where="compare", hint="divide the test users in the split, or compare all"):
        refuse_group("development", divided, np.array([0, 2]))


def test_evaluation_users_decide_and_development_users_never_do() -> None:
    study_scores = study_scores_of(development=15)
    x = np.array([p.scores[0].column("P@10") for p in study_scores.parts])
    facts = facts_of(study_scores, metrics="P@10")
    assert facts.leaderboard[0].value == pytest.approx(x[0, 15:].mean())
    assert {p.users for p in facts.comparisons} == {25}
    for group, users in (("development", 15), ("all", 40)):
        findings = facts_of(study_scores, metrics="P@10", group=group)
        assert findings.leaderboard[0].users == users
        assert findings.verdict.sentence.startswith("No winner is called. 15 of these users are the development group")
        assert findings.verdict.rows == () and findings.comparisons == () and findings.leaderboard[0].group == ""
        assert "HO406" in {n.code for n in findings.notices}
    with refused(NotApplicableError, where="compare", hint="divide the test users in the split, or compare all"):
        facts_of(study_scores_of(), group="development")
    with refused(NotApplicableError, where="compare", hint="keep some for evaluation"):
        facts_of(study_scores_of(development=USERS))
