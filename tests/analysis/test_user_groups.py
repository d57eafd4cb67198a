"""Development users choose, evaluation users decide: who is compared, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL, USERS, facts_of, outcome_of

from heldout.analysis.alignment import AlignedScores, align
from heldout.analysis.user_groups import refuse_group, users_of_group
from heldout.errors import NotApplicableError


def table(*development: int) -> AlignedScores:
    values = {"P@10": [float(user) for user in range(len(development))]}
    return align([part("A", values, counts={"development": development})], PROTOCOL, ["A"])


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
    with pytest.raises(NotApplicableError, match="every tested user is a development user"):
        refuse_group("evaluation", divided, users)
    with pytest.raises(NotApplicableError, match="the split has no development users"):
        refuse_group("development", divided, np.array([0, 2]))


def test_evaluation_users_decide_and_development_users_never_do() -> None:
    outcome = outcome_of(development=15)
    x = np.array([p.scores[0].column("P@10") for p in outcome.parts])
    facts = facts_of(outcome, metrics="P@10")
    assert facts.leaderboard[0].value == pytest.approx(x[0, 15:].mean())
    assert {p.users for p in facts.comparisons} == {25}
    for group, users in (("development", 15), ("all", 40)):
        refused = facts_of(outcome, metrics="P@10", group=group)
        assert refused.leaderboard[0].users == users
        assert refused.verdict.sentence.startswith("No winner is called: 15 of these users are the development group")
        assert refused.verdict.rows == () and refused.comparisons == () and refused.leaderboard[0].group == ""
        assert "HO406" in {n.code for n in refused.notices}
    with pytest.raises(NotApplicableError, match="the split has no development users"):
        facts_of(outcome_of(), group="development")
    with pytest.raises(NotApplicableError, match="every tested user is a development user"):
        facts_of(outcome_of(development=USERS))
