"""What is made of scores: metrics with their aggregations, objectives and tests, apart from any protocol."""

from __future__ import annotations

import re
from typing import Any

import pytest

from heldout.catalogue import make
from heldout.errors import HeldoutError
from heldout.study.analysis import Analysis, make_analysis

TARGETS = [make("target", "AllItems")]


def analysis(**keys: Any) -> Analysis:
    return make_analysis(keys, systems=["A", "B"], targets=TARGETS)


def test_what_is_not_named_has_its_default() -> None:
    made = analysis()
    assert [str(m) for m in made.metrics] == ["nDCG(gain=binary)@10"]
    assert [str(o) for stage in (made.aggregate, made.undefined, made.coverage) for o in stage] == ["mean", "zero", "zero"]
    assert [str(t) for t in made.compare.tests] == ["t", "permutation"]


def test_contests_descriptions_and_objectives() -> None:
    """ILD describes lists unless it is an objective; Coverage says of no system that it is better."""
    made = analysis(metrics=["P@5", "ILD@5", "Coverage@5"])
    assert ([str(m) for m in made.contests], [str(m) for m in made.descriptive]) == (["P@5"], ["ILD@5"])
    made = analysis(metrics=["P@5", "ILD@5", "Coverage@5"], objectives="ILD@5")
    assert ([str(m) for m in made.contests], made.descriptive) == (["P@5", "ILD@5"], ())


def test_a_metric_is_aggregated_as_it_says_itself() -> None:
    made = analysis(metrics=["P@5", "HLU aggregate=pooled"], aggregate=["mean", "median"])
    first, second = made.metrics
    assert [str(a) for a in made.aggregations(first)] == ["mean", "median"]
    assert [str(a) for a in made.aggregations(second)] == ["pooled"]
    assert [str(a) for a in made.all_aggregations] == ["mean", "median", "pooled"]
    stages = dict(made.analysis_options())
    assert stages["metrics"] == (first.full_text, f"{second.full_text} aggregate={make('aggregation', 'pooled').full_text}")
    assert list(stages) == ["metrics", "aggregate", "undefined", "coverage", "compare"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"aggregate": "men"}, "aggregate: unknown aggregation 'men'; did you mean mean"),
        ({"metrics": []}, "metrics: no metric is named"),
        ({"metrics": "Coverage@5"}, "metrics: Coverage@5 only describes lists"),
        ({"objectives": "ILD@5"}, "objectives: ILD@5 is not measured"),
        ({"metrics": ["P@5", "Coverage@5"], "objectives": "Coverage@5"}, "objectives: Coverage@5 is a diagnostic"),
        ({"compare": {"baseline": "C"}}, "compare: unknown baseline 'C'; known: A, B"),
        ({"aggregate": "mean(weight=test)", "compare": "wilcoxon"}, "compare: "),
    ],
)
def test_errors_name_their_stage(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(HeldoutError, match=re.escape(words)) as error:
        analysis(**keys)
    assert str(error.value).startswith(words)
