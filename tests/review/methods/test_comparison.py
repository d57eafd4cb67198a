"""What is said of the comparison."""

from __future__ import annotations

import pytest
from tests.review.methods.sections import FILTERED, text_of

import heldout as ho
from heldout import Methods


def test_what_was_compared_with_what_is_said(section: Methods) -> None:
    said = text_of(section, "Statistical comparison")
    assert "Every system was compared with Popularity, 1 comparison in each setting." in said
    assert "averaged over folds before testing" in said


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("wilcoxon", "by the Wilcoxon signed-rank test"),
        ("wilcoxon(zeros=pratt)", "by the Wilcoxon signed-rank test with zeros ranked as by Pratt"),
        ("bootstrap(samples=2000)", "by the studentised paired bootstrap test with 2,000 resamples"),
        ("bayes(rope=0.02)", "by the Bayesian signed-rank test with a region of practical equivalence of ±0.02"),
        ("friedman", "by Friedman's test followed by Nemenyi's"),
        ("tukey", "by Tukey's HSD on the two-way layout of users and systems"),
        ("subsampled(t, subsets=200, size=50)", "repeated on 200 random subsets of 50 users"),
    ],
)
def test_every_test_is_named(test: str, words: str) -> None:
    assert words in text_of(ho.methods({**FILTERED, "compare": [test]}), "Statistical comparison")


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        ("holm", "were corrected for the number of comparisons by Holm's procedure"),
        ("bonferroni", "were corrected for the number of comparisons by Bonferroni's procedure"),
        ("benjamini_hochberg", "by Benjamini and Hochberg's procedure, which bounds the false discovery rate"),
        ("sidak", "Šidák's procedure"),
    ],
)
def test_every_correction_is_named(correction: str, words: str) -> None:
    study = {**FILTERED, "compare": {"tests": "t", "correction": correction}}
    assert words in text_of(ho.methods(study), "Statistical comparison")
