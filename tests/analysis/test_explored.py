"""The ways that a reader switches between: settings under tests, their switches, verdicts and margins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.sample import SYSTEMS, TESTS, facts

from heldout.analysis.explored import explored_settings, relative_margin, settings_under_tests
from heldout.analysis.sentences import UNCALLED, brief
from heldout.text.names import short_names


def test_margins_by_hand() -> None:
    assert relative_margin(0.33, 0.30, True) == pytest.approx(0.03 / 0.315)
    assert relative_margin(0.33, 0.30, False) == pytest.approx(-0.03 / 0.315)
    assert relative_margin(0.0, 0.0, True) == 0
    assert np.isnan(relative_margin(np.nan, 0.3, True))


def test_every_setting_stands_under_every_test() -> None:
    sample = facts()
    explored = explored_settings(sample, sample.settings)
    assert explored.noun == "combination" and len(explored.codes) == 8 * 2
    assert [switch.name for switch in explored.switches] == ["target", "metric", "test"]
    assert [switch.letter for switch in explored.switches] == ["C1", "C2", "D"]
    assert explored.switches[2].options == TESTS
    assert len({tuple(codes) for codes in explored.codes.tolist()}) == 16
    assert explored.systems[explored.reference] == SYSTEMS[0] and explored.start == 0


def test_the_verdict_of_the_deciding_test_is_the_verdict() -> None:
    """Under the study's first test, every setting has the row that the verdict has."""
    for study_facts in (
        facts(),
        facts_of(study_scores_of(uncovered=6), metrics=["P@10", "Recall@10"], tests=["t", "wilcoxon"]),
    ):
        ways = settings_under_tests(study_facts, study_facts.settings)
        first = {way.setting.id: way for way in reversed(ways)}
        for row in study_facts.verdict.rows:
            assert first[row.setting].row == row
        others = [way for way in ways if way.test != first[way.setting.id].test]
        for way in others:
            pair = next(
                p
                for p in study_facts.comparisons
                if (p.setting, p.test) == (way.setting.id, way.test) and {p.a, p.b} == {way.row.leader, way.row.rival}
            )
            assert way.row.p_adjusted == pair.p_adjusted


def test_the_sentence_of_the_primary_setting_begins_the_verdict() -> None:
    study_facts = facts_of(study_scores_of(), metrics=["P@10", "Recall@10"], tests=["t"])
    explored = explored_settings(study_facts, study_facts.settings)
    (first, *_) = settings_under_tests(study_facts, study_facts.settings)
    assert explored.sentences[0] == first.conclusion.sentence
    assert study_facts.verdict.numbers.startswith(first.conclusion.numbers)
    assert study_facts.verdict.answer.startswith(first.conclusion.answer.removesuffix("."))
    assert study_facts.verdict.note == first.conclusion.note


def test_margins_have_the_sign_of_the_leader() -> None:
    sample = facts()
    explored = explored_settings(sample, sample.settings)
    led = explored.leader == explored.reference
    drawn = np.isfinite(explored.margin)
    assert ((explored.margin > 0) == led)[drawn].all()
    assert (~drawn).sum() == 2  # the primary leader has no RMSE, under either test
    rows = [way.row for way in settings_under_tests(sample, sample.settings)]
    sure = [(1 if row.leader == SYSTEMS[0] else -1) * row.significant for row in rows]
    assert explored.verdict_of_reference.tolist() == sure and {-1, 0, 1} >= set(sure) > {0}


def test_a_metric_and_its_cutoff_are_switched_apart_where_all_combinations_are_there() -> None:
    sample = facts()
    names = [("nDCG@5", 0), ("nDCG@10", 1), ("P@5", 2), ("P@10", 3)]
    settings = [replace(sample.settings[0], id=k, metric=name, label=name) for name, k in names]
    crossed = explored_settings(replace(sample, settings=tuple(settings)), settings)
    assert [(s.name, s.options) for s in crossed.switches[:2]] == [("metric", ("nDCG", "P")), ("cutoff", ("5", "10"))]
    lacking = explored_settings(replace(sample, settings=tuple(settings[:3])), settings[:3])
    assert lacking.switches[0].options == ("nDCG@5", "nDCG@10", "P@5")


def test_what_goes_with_another_choice_is_no_switch() -> None:
    """Relevance that only follows the target could not be turned alone."""
    sample = facts()
    settings = [
        replace(s, choices={**s.choices, "relevance": "own" if s.choices["target"] == "TestRatings" else "threshold(4)"})
        for s in sample.settings
    ]
    explored = explored_settings(replace(sample, settings=tuple(settings)), settings)
    assert "relevance" not in [switch.name for switch in explored.switches]


def test_a_verdict_in_a_few_words() -> None:
    row, short = facts().verdict.rows[0], short_names(SYSTEMS)
    assert brief(row, 4, short) == "EASE wins by 0.0129 over ALS, p < 0.001"
    assert brief(replace(row, significant=False, p_adjusted=0.3), 4, short).startswith("no winner: EASE is ahead by 0.0129")
    assert brief(replace(row, p_adjusted=None), 4, short) == "EASE leads by 0.0129 over ALS, not tested"
    assert brief(replace(row, difference=0.0), 4, short) == "EASE and ALS tie"
    assert brief(replace(row, difference=0.00001), 4, short).startswith("EASE wins by 0.000010 over ALS")
    assert "few users served" in brief(replace(row, refused="serves few", remark="few users served"), 4, short)


def test_a_test_without_p_values_is_not_called_untested() -> None:
    study_facts = facts_of(study_scores_of(), metrics=["P@10"], tests=["t", "bayes(rope=0.01, samples=500)"])
    sentences = [way.conclusion.sentence for way in settings_under_tests(study_facts, study_facts.settings)]
    assert "gives no p-value" in sentences[1] and "not tested" not in sentences[1]


def test_settings_in_which_nothing_is_compared_say_so() -> None:
    sample = facts()
    bare = replace(sample, comparisons=(), verdict=replace(sample.verdict, rows=()))
    explored = explored_settings(bare, bare.settings)
    assert set(explored.leader.tolist()) == {-1} and explored.reference == -1
    assert explored.sentences[0] == UNCALLED and explored.briefs[0] == "nothing to compare"
