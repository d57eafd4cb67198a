"""What lint finds in the protocol that a manifest keeps."""

from __future__ import annotations

from tests.reports.every_kind import kept_manifest, results_of

import heldout as ho
from heldout.review.study_under_review import protocol_review


def test_lint_says_what_it_says_of_the_study() -> None:
    """The rules that need no results find the same as in the study's keys."""
    review = protocol_review(kept_manifest("meta", "Metrics"), "Metrics")
    assert review is not None and review.subject == "Metrics"
    assert set(review.codes) and set(review.codes) <= set(ho.lint(results_of("study")).codes)


def test_without_a_study_there_is_nothing_to_review() -> None:
    assert protocol_review({"title": "Metrics"}, "Metrics") is None
