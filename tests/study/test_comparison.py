"""How systems are compared: tests, correction, level, baseline."""

from __future__ import annotations

import re
from typing import Any

import pytest

from heldout import Study
from heldout.catalogue import make
from heldout.errors import NotApplicableError, SpecError, SpellingWarning
from heldout.study.comparison import make_comparison, refuse_inapplicable
from heldout.study.file import study_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def texts(options: Any) -> list[str]:
    return [str(option) for option in options]


def test_a_table_says_how_to_compare() -> None:
    made = study(
        recommend=["Popularity", "Random"],
        compare={"tests": ["wilcoxon", "sign"], "correction": "bonferroni", "level": 0.01, "baseline": "Random"},
    ).compare
    assert (texts(made.tests), str(made.correction), made.level, made.baseline) == (
        ["wilcoxon", "sign"],
        "bonferroni",
        0.01,
        "Random",
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"tests": ["none", "t"]}, "'none' stands for no test at all"),
        ({"level": 1.5}, "the level must be between 0 and 1, found 1.5"),
        ({"baseline": "C"}, "unknown baseline 'C'; known: A, B"),
        ({"folds": "pool"}, "unknown folds 'pool'; did you mean pooled"),
        ({"tests": "sign(alternative=greater)"}, "asks one side of each pair"),
        ({"testing": "t"}, "unknown key 'testing'; did you mean tests"),
        ({"test": "t", "tests": "sign"}, "unknown key 'test'; did you mean tests"),
        ({7: "t", None: "t"}, "unknown key '7'"),
    ],
)
def test_what_a_comparison_refuses(table: dict[Any, Any], words: str) -> None:
    with pytest.raises(SpecError, match=re.escape(words)):
        make_comparison(table, ["A", "B"])


def test_no_test_is_an_empty_list_or_none() -> None:
    assert make_comparison({"tests": []}, ["A"]).tests == make_comparison("none", ["A"]).tests == ()


def test_a_baseline_may_be_spelt_otherwise() -> None:
    """UserKNN(k=100) is what UserKNN is printed as where 100 is no default, however it is written."""
    names = [str(make("recommender", "UserKNN(k=7)")), "Popularity"]
    assert make_comparison({"baseline": "UserKNN( k = 7 )"}, names).baseline == names[0]


def test_a_test_that_answers_for_no_aggregation_is_refused_before_work() -> None:
    """Ranks of differences know no weights."""
    weighted, plain = make("aggregation", "mean(weight=test)"), make("aggregation", "mean")
    everything = [make("target", "AllItems")]
    with pytest.raises(NotApplicableError, match="wilcoxon"):
        refuse_inapplicable(make_comparison(["t", "wilcoxon"], ["A", "B"]), [weighted], everything)
    refuse_inapplicable(make_comparison(["t", "wilcoxon"], ["A", "B"]), [weighted, plain], everything)


def test_the_word_of_verbs_and_commands_is_read_in_a_study_too() -> None:
    with pytest.warns(SpellingWarning, match="the key 'test' is read as 'tests'; write tests in compare"):
        assert texts(study(compare={"test": "sign", "level": 0.1}).compare.tests) == ["sign"]
    with pytest.raises(SpecError, match="test"):
        study(compare={"test": "sign", "tests": "t"})
