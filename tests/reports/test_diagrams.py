"""Critical-difference diagrams as data."""

from __future__ import annotations

from itertools import combinations

from tests.reports.kept import facts_of, study_scores_of

from heldout.reports.diagrams import diagrams


def test_by_default_the_diagram_groups_by_the_study_s_own_adjusted_tests() -> None:
    view = facts_of(study_scores_of(), metrics="P@10", tests=["t", "friedman"])
    own, of_all = diagrams(view, view.primary)
    assert (own.test, own.critical, own.groups) == ("t", None, (("Good", "Twin"),))
    apart = {frozenset((p.a, p.b)) for p in view.pairs(0, "t") if p.significant(view.level)}
    together_in = {frozenset(pair) for group in own.groups for pair in combinations(group, 2)}
    assert apart | together_in == {frozenset(pair) for pair in combinations(dict(own.order), 2)} and not apart & together_in
    assert of_all.test == "friedman" and of_all.critical == view.layouts[0].critical
    friedman = facts_of(study_scores_of(), metrics="P@10", tests=["friedman"])
    assert [diagram.test for diagram in diagrams(friedman, 0)] == ["friedman"]
    based = facts_of(study_scores_of(), metrics="P@10", tests=["t"], baseline="Poor")
    assert diagrams(based, 0) == []
