"""The study file that repeats a study."""

from __future__ import annotations

import tomllib
from typing import Any

from tests.review.methods.sections import STUDY, text_of

import heldout as ho
from heldout import Methods, Results
from heldout.study.file import study_from


def test_the_study_file_repeats_the_study(section: Methods, results: Results) -> None:
    again = study_from(tomllib.loads(section.study))
    asked = study_from(STUDY)
    assert dict(again.options()) == {**dict(asked.options()), "relevance": ("threshold(tau=4)",)}  # which the scale suggests
    assert [s.name for s in again.recommend] == ["Popularity", "Näher"]
    assert again.compare == asked.compare
    same = ho.run(tomllib.loads(section.study))
    assert (
        same.tables["all-leaderboards"].frame["value"].to_list()
        == results.tables["all-leaderboards"].frame["value"].to_list()
    )


def test_a_model_of_ones_own_is_no_part_of_the_study_file() -> None:
    def constant(train: Any, users: Any) -> Any:
        import numpy as np

        return np.ones((len(users), train.n_items))

    results = ho.run({**STUDY, "split": "ratio(train=0.7, by=user)", "compare": ["t"]}, models={"Mine": constant})
    found = ho.methods(results)
    assert '# "Mine" was a program' in found.study
    assert "Mine: a system of our own" in text_of(found, "Systems")
    tomllib.loads(found.study)
