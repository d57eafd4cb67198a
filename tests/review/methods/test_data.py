"""What is said of data and splits."""

from __future__ import annotations

from tests.review.methods.sections import FILTERED, text_of

import heldout as ho
from heldout.text.numbers import count


def test_sizes_are_told_for_each_filter_and_no_folds_are_invented(filtered: ho.Results) -> None:
    said = text_of(ho.methods(filtered), "Splitting")
    assert "fold" not in said and "on average" not in said
    plain, cored = filtered.findings.splits
    assert plain.train != cored.train
    assert f"Without a filter, there were {count(plain.train)} training and {count(plain.test)} test ratings." in said
    assert f"After `core(k=12)`, there were {count(cored.train)} training and {count(cored.test)} test ratings." in said


def test_folds_are_averaged_within_an_option() -> None:
    results = ho.run({**FILTERED, "split": ["folds(3)", "ratio(train=0.7, by=user)"], "filters": [[]]})
    said = text_of(ho.methods(results), "Splitting")
    own = [f for f in results.findings.splits if f.split.startswith("folds")]
    train, test = sum(f.train for f in own) / 3, sum(f.test for f in own) / 3
    assert f"{count(train)} training and {count(test)} test ratings on average in each of the three folds." in said
    assert said.count("in each of the") == 1
